import type { ToolCallPart } from '@ctx/core';
import { isFields } from '@ctx/core/codec';

const named = ['path', 'file_path', 'filePath', 'command', 'cmd', 'query', 'pattern', 'url'];

/** The subject of a call: its path, command or query, otherwise its first text or number; undefined if it has none. */
export function mainArgumentOf({ input }: ToolCallPart): string | undefined {
  if (!isFields(input)) return typeof input === 'string' ? input : undefined;
  const name = named.find((one) => typeof input[one] === 'string');
  const value = name === undefined ? Object.values(input).find(isScalar) : input[name];
  return value === undefined ? undefined : String(value);
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
