import { ConfigError, type ModelId } from '@ctx/core';
import { isFields } from '@ctx/core/codec';
import { matches } from '@ctx/core/kit';

/** The maker of a model, as Bedrock writes it before the name, after the region. */
const bedrockVendor =
  /^(?:(?:us|eu|apac|jp|au|ca|global|us-gov)\.)?(anthropic|openai|google|meta|mistral|deepseek|qwen|xai|zai|moonshot|moonshotai|amazon|cohere|minimax|nvidia|writer|ai21)\./;

/** `-v1:0`, `-1:0`, `-v1:0:200k` and `-v1`. */
const bedrockVersion = /(?:-v?\d+:\d+(?::\w+)?|-v\d+)$/;

/**
 * A model's id in one spelling: the name that its maker gives it, in lower case, after the maker if the id names one. Removes what a host
 * adds: Bedrock's region, version and window (`us.anthropic.claude-…-v1:0`) and its ARNs, paths of Vertex (`publishers/…/models/…`) and
 * its `@20250929`, OpenRouter's `:free`, the size behind a colon of Ollama, the date of a Claude.
 * @throws ConfigError `config-invalid` for what is no id
 */
export function normalizeModel(id: ModelId): ModelId {
  refuseOdd(id);
  const { provider, model } = id;
  const path = (model ?? '')
    .trim()
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '');
  const last = path[path.length - 1];
  if (last === undefined) return { provider: provider?.trim().toLowerCase() };
  const vendor = bedrockVendor.exec(last)?.[1];
  const name = withoutVersion(last.replace(bedrockVendor, ''), vendor !== undefined);
  const makers = [...path.slice(0, -1), ...(vendor === undefined ? [] : [vendor])].filter(
    (part) => part !== 'models' && part !== 'publishers',
  );
  const maker = makers[makers.length - 1];
  return {
    provider: provider?.trim().toLowerCase(),
    model: maker === undefined ? name : `${maker}/${name}`,
  };
}

function refuseOdd(id: ModelId): void {
  const isText = (value: unknown) => value === undefined || value === null || typeof value === 'string';
  if (isFields(id) && isText(id.provider) && isText(id.model)) return;
  throw new ConfigError({
    code: 'config-invalid',
    problem: 'This is not the id of a model',
    place: 'model',
    value: id,
    remedy: 'Give { provider, model }, whose values are texts or missing.',
  });
}

/** The last part of a normalized id: what the table's patterns are compared with. */
export function modelName(id: ModelId): string | undefined {
  return normalizeModel(id).model?.split('/').at(-1);
}

/** The first row with a pattern for the model. */
export function rowFor<Row extends { readonly models: readonly string[] }>(
  table: readonly Row[],
  id: ModelId,
): Row | undefined {
  const model = modelName(id);
  return table.find(({ models }) => models.some((pattern) => matches({ model: pattern }, { model })));
}

/** True if the caller asks for the window of a million tokens as Claude Code does: `sonnet[1m]`. */
export function asksForMillion({ model }: ModelId): boolean {
  return model?.trim().toLowerCase().endsWith('[1m]') ?? false;
}

function withoutVersion(name: string, ofBedrock: boolean): string {
  const [plain = ''] = (ofBedrock ? withoutBedrockVersion(name) : name)
    .replace(/\[1m\]$/, '')
    .split(/[@:]/, 1);
  if (!plain.startsWith('claude')) return ofBedrock && /^[rv]\d/.test(plain) ? `deepseek-${plain}` : plain;
  return plain.replace(/(\d)\.(?=\d)/g, '$1-').replace(/-(?:20\d{6}|latest)$/, '');
}

/** Keeps the version if a Claude's name has nothing else. */
function withoutBedrockVersion(name: string): string {
  const rest = name.replace(bedrockVersion, '');
  return rest === 'claude' ? name : rest;
}
