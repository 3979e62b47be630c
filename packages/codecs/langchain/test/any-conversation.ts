import { type Fields, field, merged, shapesIn, stepsOf } from '@ctx/fuzz';
import fc from 'fast-check';

/** The name zq900001 stands in a call, and again in its result. `common` is what any message may have besides its content. */
const { content, extra, plain, value } = shapesIn`
  odd       {cache_control: {type: ephemeral, ttl: §}}
  common*2  {}
  common    {id: §, name: §}
  common    {additional_kwargs: {}, response_metadata: {}}
  common    {additional_kwargs: {reasoning_content: §, x_list: [§]}}
  common    {response_metadata: {model_provider: §}}
  text      {type: text, text: §}
  text      {type: text, text: §, annotations: [{type: citation, url: §}]}
  text      {type: text, text: ""}
  text      {type: text, text: " "}
  media     {type: image, url: https://example.org/§}
  media     {type: image, data: ¶, mimeType: image/§}
  media     {type: image, fileId: §}
  media     {type: image, source_type: base64, data: ¶, mime_type: image/§}
  media     {type: image, source_type: url, url: https://example.org/§, metadata: {alt: §}}
  media     {type: image, source: {type: base64, media_type: image/png, data: ¶}}
  media     {type: image_url, image_url: https://example.org/§}
  media     {type: image_url, image_url: {url: data:image/png;base64,¶, detail: §}}
  media     {type: file, data: ¶, mimeType: application/pdf, metadata: {filename: §}}
  media     {type: file, data: ¶, mimeType: application/pdf, metadata: {filename: §, x_unknown: §}}
  media     {type: file, url: https://example.org/§, mimeType: application/pdf}
  media     {type: file, source_type: text, text: §, mime_type: text/§}
  media     {type: text-plain, text: §, title: §, mimeType: text/plain}
  media     {type: audio, data: ¶, mimeType: audio/wav}
  media     {type: video, fileId: §, mimeType: video/mp4}
  other     {type: hologram, x: §}
  other     {type: non_standard, value: {x: §}}
  thought   {type: reasoning, reasoning: §}
  thought   {type: thinking, thinking: §, signature: §}
  thought   {type: thinking, thinking: "", signature: §}
  thought   {type: redacted_thinking, data: §}
  thought   {type: server_tool_call, id: §, name: §, args: {query: §}}
  system    {type: system}
  human     {type: human}
  ai*2      {type: ai}
  ai        {type: ai, tool_calls: [], invalid_tool_calls: []}
  ai        {type: ai, usage_metadata: {input_tokens: 3, x_tokens: §}}
  ai        {type: ai, invalid_tool_calls: [{id: §, name: §, args: "{\"path\": §", error: §, type: invalid_tool_call}]}
  generic   {type: generic, role: critic}
  generic   {type: generic, role: assistant}
  generic   {type: generic, role: system}
  args      {}
  args      {path: §, all: true, lines: [1, 2]}
  tool      {type: tool}
  tool      {type: tool, name: zq900001}
  tool      {type: tool, name: §}
  tool      {type: tool, status: error}
  tool      {type: tool, artifact: {rows: [§]}}
`;
const said = (kind: string, ...parts: string[]) =>
  merged(plain('common'), plain(kind), field('content', content(...parts)), extra);
const assistant = said('ai', 'text', 'thought', 'media', 'other');
const call = merged(
  fc.constant({ name: 'zq900001', type: 'tool_call' }),
  field('args', value('args')),
  extra,
);

/** Calls that are made together, with their results, among what else the message says. */
const exchange = fc
  .tuple(
    assistant,
    fc.array(fc.tuple(call, said('tool', 'text', 'media', 'other')), { minLength: 1, maxLength: 3 }),
  )
  .map(([asked, pairs]): Fields[] => [
    { ...asked, tool_calls: pairs.map(([made], at) => ({ id: `call_${at}`, ...made })) },
    ...pairs.map(([, answer], at) => ({ ...answer, tool_call_id: `call_${at}` })),
  ]);

/** Conversations with every part and field that LangChain knows, and some that it does not. */
export const anyLangChain = stepsOf(
  [said('system', 'text'), said('human', 'text', 'media', 'other'), said('generic', 'text'), assistant],
  exchange,
);
