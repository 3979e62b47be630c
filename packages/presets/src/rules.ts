import type { Config, ModelId } from '@ctx/core';
import { matches } from '@ctx/core/kit';
import { checkedProfile, invalid, refuseUnknown, suggestion } from './checked.js';
import { type Family, families } from './families.js';
import { imagesOf } from './image-formulas.js';
import { limitsOf, type ModelLimits, providerWarning } from './limits.js';
import { normalizeModel } from './model-name.js';
import { pricesOf } from './prices.js';
import { isProfileName, type PresetRule, type ProfileName, profileNames, profiles } from './profiles.js';

interface PresetOptions {
  /** @default relevance */
  readonly profile?: ProfileName | undefined;
  /** The configured window, in tokens. @default that of the table of models */
  readonly contextWindow?: number | undefined;
  /** True: the configured window is the provider's limit, and the answer must fit it too. @default false */
  readonly isLimit?: boolean | undefined;
}

/** Tokens kept for an answer if nothing is known about the model. */
const defaultReserve = 4_096;
/** The largest share that an answer may take of a window that it shares with the request. */
const reserveShare = 0.2;

/**
 * The settings of a model: those of its family in a profile, with its window, encoding and reasoning if they are known, and warnings if
 * they are assumed.
 * @throws ConfigError `config-invalid` for a profile that does not exist, or what is no model
 */
export function presetFor(id: ModelId, options: PresetOptions = {}): PresetRule {
  refuseUnknown(options, ['profile', 'contextWindow', 'isLimit'], 'presetFor');
  const remedy = "Give { model: 'gpt-5' }, with its provider if you know it.";
  if (typeof id !== 'object' || id === null) throw invalid('A model was expected', 'presetFor', id, remedy);
  const family = familyOf(id);
  const profile = checkedProfile(options.profile ?? 'relevance');
  const { warn, minMessagesToKeep, preserveStart, preserveEnd, settings } = family;
  const limits = limitsOf(id);
  const { toolResults, ...ofProfile } = profiles[profile](family);
  const { encoding, reasoning = settings.reasoning } = limits.entry ?? {};
  const assumed = options.contextWindow === undefined ? limits.warning : undefined;
  const warnings = [assumed, providerWarning(id)].filter((warning) => warning !== undefined);
  return {
    ...settings,
    recallTool: 'recall',
    images: imagesOf(id),
    contextWindow: limits.input,
    encoding,
    reasoning,
    prices: pricesOf(id),
    reserve: reserveOf(limits, options, profile),
    warn,
    minMessagesToKeep,
    ...ofProfile,
    options: {
      'tool-results': toolResults,
      'smart-truncation': { maxTokens: 'auto', keepNewestReads: 2 },
      'middle-removal': { preserveStart, preserveEnd },
    },
    ...(warnings.length > 0 && { warnings }),
  };
}

/** `presetFor` in the form for a container: the configuration's own profile overrides the container's. */
export function presetOf(profile: ProfileName | undefined) {
  return (
    id: ModelId,
    own: Omit<Config, 'rules'>,
    rules: readonly Pick<ModelId, 'provider'>[] = [],
  ): PresetRule => {
    const { profile: named, profileThresholds = {}, contextWindow } = own;
    const rule = presetFor(id, { profile: isProfileName(named) ? named : profile, contextWindow });
    const ofRules = rules.flatMap(({ provider }) => providerWarning({ provider }) ?? []);
    const warnings = [
      ...new Set([...(rule.warnings ?? []), ...ofRules, ...profileWarning(named, profileThresholds)]),
    ];
    const isEstimated = rule.encoding === undefined && familyOf(id).isEstimated;
    return { ...rule, ...(isEstimated && { isEstimated }), ...(warnings.length > 0 && { warnings }) };
  };
}

function profileWarning(named: string | undefined, thresholds: Readonly<Record<string, number>>): string[] {
  if (named === undefined || isProfileName(named) || Object.hasOwn(thresholds, named)) return [];
  return [`There is no profile "${named}". ${suggestion(named, profileNames)}`];
}

/**
 * The family of a model, the strategies that it gets in a profile, and why.
 * @throws ConfigError `config-invalid` for a profile that does not exist
 */
export function explainChoice(
  id: ModelId,
  profile: ProfileName = 'relevance',
): Pick<Family, 'name' | 'removal' | 'why'> & { readonly pipeline: readonly string[] } {
  const family = familyOf(id);
  const { name, removal, why } = family;
  return { name, removal, pipeline: profiles[checkedProfile(profile)](family).pipeline, why };
}

/**
 * The tokens of the window kept for the answer: as much as the model may say, but no more than a fifth of the window. Nothing if the answer
 * has room apart from the window: the model's own, or what the model takes and the configuration does not use.
 */
function reserveOf(
  { input, entry, warning }: ModelLimits,
  { contextWindow: configured, isLimit }: PresetOptions,
  profile: ProfileName,
): number {
  const most = Math.floor(reserveShare * (configured ?? input ?? Number.POSITIVE_INFINITY));
  if (entry === undefined || profile === 'classic') return Math.min(defaultReserve, most);
  const window = Math.max(input ?? 0, entry.total ?? 0);
  const isKnown = warning === undefined && isLimit !== true && window > 0;
  const beside = isKnown ? window - Math.min(configured ?? window, input ?? window) : 0;
  return Math.max(0, Math.min(entry.output - beside, most));
}

function familyOf(id: ModelId): Family {
  const model = normalizeModel(id);
  return families.find((family) => family.matches.some((match) => matches(match, model))) as Family;
}
