/** Who made a model, of the name that the AI SDK gives its provider, such as `openai.responses`. */
export function makerOf(provider: string): string {
  return provider.split('.', 1)[0] as string;
}
