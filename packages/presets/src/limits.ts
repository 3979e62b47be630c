import type { ModelId } from '@ctx/core';
import { nearest } from '@ctx/core/kit';
import { providerNames } from './known-names.js';
import { asksForMillion, modelName, rowFor } from './model-name.js';
import { type ModelEntry, modelTable } from './model-table.js';

/** Servers with a window that is set when they start, whatever the model could take. */
const localProviders = ['ollama', 'lmstudio'];
/** The window assumed for such a server. Tokens. */
const localWindow = 8_192;
/** The window that core assumes if nothing is known. Tokens. */
const otherWindow = 128_000;
const million = 1_000_000;

/** A model's entry in the table. */
export interface ModelLimits {
  /** Tokens; undefined if nothing is known. */
  readonly input: number | undefined;
  readonly entry: ModelEntry | undefined;
  /** Why the window is only assumed, and what to do about it. */
  readonly warning: string | undefined;
}

/** The limits of a model, and a warning if they are only assumed. */
export function limitsOf(id: ModelId): ModelLimits {
  const name = modelName(id);
  const entry = rowFor(modelTable, id);
  const provider = id.provider?.trim().toLowerCase();
  if (provider !== undefined && localProviders.includes(provider)) {
    const warning = `The window of ${provider} is what the server was started with: ${assumed(localWindow)}`;
    return { input: localWindow, entry, warning };
  }
  if (name === undefined) {
    const input = provider === 'anthropic' ? rowFor(modelTable, { model: 'claude' })?.input : undefined;
    return { input, entry, warning: `No model is given: ${assumed(input)}` };
  }
  if (asksForMillion(id)) return { input: million, entry, warning: undefined };
  if (entry !== undefined && entry.assumed !== true) return { input: entry.input, entry, warning: undefined };
  const known = nearestModel(name);
  const guess = known === undefined ? '' : `; the nearest that is known is "${known}"`;
  const warning = `The model "${id.model}" is not known${guess}: ${assumed(entry?.input)}`;
  return { input: entry?.input, entry, warning };
}

/** A warning for an unknown provider that looks like a known one. */
export function providerWarning({ provider }: ModelId): string | undefined {
  const name = provider?.trim().toLowerCase();
  if (name === undefined || providerNames.some((known) => known === name)) return undefined;
  const known = nearest(name, providerNames);
  return known === undefined
    ? undefined
    : `The provider "${provider}" is not known; did you mean "${known}"?`;
}

/** The longest known name within the id, otherwise the name that differs least. */
function nearestModel(name: string): string | undefined {
  const known = modelTable
    .filter(({ assumed }) => assumed !== true)
    .flatMap(({ models }) => models)
    .map((pattern) => pattern.replace(/[-.]?\*$/, ''))
    .filter((one) => !one.includes('*'));
  const held = known.filter((one) => name.includes(one)).sort((a, b) => b.length - a.length);
  return held[0] ?? nearest(name, known);
}

function assumed(tokens = otherWindow): string {
  return `a window of ${tokens.toLocaleString('en-US')} tokens is assumed. Set contextWindow in the configuration.`;
}
