/**
 * What an answer reports, in a form whose usage counts the whole input. Version 5 leaves cached tokens out of the usage of Anthropic's
 * models, but carries along what Anthropic itself said.
 * @param answer a whole answer, or the last part of a stream
 */
export function reported(answer: unknown): unknown {
  const { providerMetadata } = fieldsOf(answer);
  const { usage } = fieldsOf(fieldsOf(providerMetadata).anthropic);
  return typeof usage === 'object' && usage !== null ? { usage } : answer;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
