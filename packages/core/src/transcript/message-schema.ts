import * as z from 'zod/mini';
import { $ZodObjectJIT } from 'zod/v4/core';
import { isFields } from '../base/native.js';
import { priorities } from './priorities.js';

/** `z.object` whose check is compiled, as every message goes through it; with the one of `zod/mini` an append takes a fifth longer. */
function object<const Shape extends z.core.$ZodShape>(shape: Shape) {
  return new $ZodObjectJIT({ type: 'object', shape }) as unknown as ReturnType<typeof z.object<Shape>>;
}

const named = z.string().check(z.minLength(1));
export const text = object({ type: z.literal('text'), text: z.string() });
export const reasoning = object({
  type: z.literal('reasoning'),
  text: z.string(),
  encrypted: z.optional(z.string()),
});
export const image = object({ type: z.literal('image'), image: named, mediaType: z.optional(z.string()) });
export const file = object({
  type: z.literal('file'),
  data: named,
  mediaType: z.string(),
  filename: z.optional(z.string()),
});
export const opaque = object({ type: z.literal('opaque'), value: z.unknown() });
export const toolCall = object({
  type: z.literal('tool-call'),
  toolCallId: named,
  toolName: named,
  input: z.unknown(),
});
const outputPart = z.discriminatedUnion('type', [text, image, file, opaque]);
const toolOutput = z.union([
  z.string(),
  z.discriminatedUnion('type', [
    object({ type: z.literal('text'), value: z.string() }),
    object({ type: z.literal('error-text'), value: z.string() }),
    object({ type: z.literal('json'), value: z.unknown() }),
    object({ type: z.literal('error-json'), value: z.unknown() }),
    object({ type: z.literal('content'), value: z.readonly(z.array(outputPart)) }),
  ]),
]);
export const toolResult = object({
  type: z.literal('tool-result'),
  toolCallId: named,
  toolName: named,
  output: toolOutput,
  isError: z.optional(z.boolean()),
});

const common = {
  id: z.optional(named),
  createdAt: z.optional(z.number().check(z.nonnegative())),
  priority: z.optional(z.enum(priorities)),
  pinned: z.optional(z.boolean()),
  summary: z.optional(z.boolean()),
  metadata: z.optional(z.custom<Record<string, unknown>>(isFields)),
  native: z.optional(z.unknown()),
};

function contentOf<
  const P extends readonly [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]],
>(parts: P) {
  return z.union([z.string(), z.readonly(z.array(z.discriminatedUnion('type', parts)))]);
}

/** The form of a message. Unknown keys are allowed and kept, because `append` keeps the object it was given. */
export const messageSchema = z.discriminatedUnion('role', [
  object({ role: z.literal('system'), content: contentOf([text, opaque]), ...common }),
  object({ role: z.literal('user'), content: contentOf([text, image, file, opaque]), ...common }),
  object({
    role: z.literal('assistant'),
    content: contentOf([text, reasoning, image, file, toolCall, opaque]),
    ...common,
  }),
  object({ role: z.literal('tool'), content: z.readonly(z.array(toolResult)), ...common }),
]);
