import Anthropic from '@anthropic-ai/sdk';
import { contextFetch } from '@ctx/fetch';
import { shape } from '@ctx/fuzz';
import { type ModelServer, startAnthropicServer, startGeminiServer, startOpenAiServer } from '@ctx/servers';
import { words } from '@ctx/testing';
import { GoogleGenAI } from '@google/genai-3';
import OpenAI from 'openai-7';
import { opened } from './kit.js';

// biome-ignore lint/suspicious/noExplicitAny: requests of four APIs in one table
type Json = any;

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const schema = shape`{type: object, properties: {path: {type: string}}, additionalProperties: false}`;

/** A form of an API: how requests have it, and what becomes of it. */
interface Form {
  /** The entries of the history in which it is, oldest. */
  readonly entries?: Json;
  /** The fields of every request in which it is. */
  readonly fields?: Json;
  /** True if it stays in each request, whatever is compressed. Otherwise it stays or goes as a whole. */
  readonly stays?: boolean;
  /** The warning with which all requests pass unchanged. */
  readonly passes?: string;
}

/** How the SDK of an API asks for one turn. */
interface Api {
  readonly start: (options: Json) => Promise<ModelServer>;
  readonly list: string;
  user(text: string): Json;
  ask(client: { url: string; fetch: typeof fetch }, body: Json, streams: boolean): Promise<Json[]>;
  readonly forms: Readonly<Record<string, Form>>;
}

type Shape = Parameters<typeof shape>;
const userOf = (content: Json) => ({ role: 'user', content });
const thanks = shape`{role: assistant, content: "I see."}`;
const answered = (content: Json) => [userOf(content), thanks];
/** A message of the user's with these parts, and an answer. */
const asked = (...parts: Shape) => answered(shape(...parts));
/** What the model did at the provider. */
const worked = (...blocks: Shape) => [
  userOf('Use it.'),
  { role: 'assistant', content: [...(shape(...blocks) as Json[]), { type: 'text', text: 'Found.' }] },
];
const messages: Api = {
  start: startAnthropicServer,
  list: 'messages',
  user: userOf,
  async ask({ url, fetch }, body, streams) {
    const client = new Anthropic({ apiKey: 'sk-test', baseURL: url, fetch, maxRetries: 0 });
    const request = { model: 'claude-sonnet-5-5', max_tokens: 500, ...body };
    const { content } = streams
      ? await client.beta.messages.stream(request).finalMessage()
      : await client.beta.messages.create(request);
    return [{ role: 'assistant', content }];
  },
  forms: {
    'what the user shows': {
      entries: [
        ...asked`[{type: image, source: {type: base64, media_type: image/png, data: ${pixel}}}, {type: text, text: "What is this?"}]`,
        ...asked`[{type: image, source: {type: url, url: https://example.com/a.png}}]`,
        ...asked`[{type: image, source: {type: file, file_id: file_1}}]`,
        ...asked`[{type: document, source: {type: file, file_id: file_2}, citations: {enabled: true}},
          {type: document, source: {type: text, media_type: text/plain, data: "Grass is green."}}, {type: text, text: "What colour?"}]`,
        ...asked`[{type: search_result, source: a, title: A, content: [{type: text, text: "It is so."}]}, {type: text, text: "Is it so?"}]`,
        ...asked`[{type: container_upload, file_id: file_3}, {type: text, text: "Plot it."}]`,
      ],
      fields: shape`{container: container_1, betas: [files-api-2025-04-14], tools: [{type: code_execution_20260521, name: code_execution}]}`,
    },
    'what the model did at Anthropic': {
      entries: [
        ...worked`[{type: server_tool_use, id: srvtoolu_1, name: web_search, input: {query: ctx}},
          {type: web_search_tool_result, tool_use_id: srvtoolu_1, content: [{type: web_search_result, url: https://example.com, title: E, encrypted_content: abc}]}]`,
        ...worked`[{type: server_tool_use, id: srvtoolu_2, name: bash_code_execution, input: {query: ctx}},
          {type: bash_code_execution_tool_result, tool_use_id: srvtoolu_2, content: {type: bash_code_execution_result, stdout: "1", stderr: "", return_code: 0, content: []}}]`,
        ...worked`[{type: server_tool_use, id: srvtoolu_3, name: advisor, input: {query: ctx}},
          {type: advisor_tool_result, tool_use_id: srvtoolu_3, content: {type: advisor_result, text: "Do it."}}]`,
        ...worked`[{type: mcp_tool_use, id: mcptoolu_1, name: echo, server_name: one, input: {}},
          {type: mcp_tool_result, tool_use_id: mcptoolu_1, is_error: false, content: Echo.}]`,
        ...worked`[{type: fallback, from: {model: claude-opus-5}, to: {model: claude-sonnet-5-5}}]`,
      ],
      fields: shape`{fallbacks: [{model: claude-haiku-5}], mcp_servers: [{type: url, url: https://example.com/sse, name: one}], betas: [mcp-client-2025-11-20],
        tools: [{type: web_search_20260318, name: web_search, max_uses: 5}, {type: code_execution_20260521, name: code_execution},
          {type: advisor_20260301, name: advisor, model: claude-opus-5}, {type: mcp_toolset, mcp_server_name: one}]}`,
    },
    'what names tools': {
      entries: [
        ...worked`[{type: mcp_tool_listing, mcp_server_name: one, tools: [{name: echo, input_schema: ${schema}}]}]`,
        ...worked`[{type: server_tool_use, id: srvtoolu_1, name: tool_search_tool_bm25, input: {query: ctx}},
          {type: tool_search_tool_result, tool_use_id: srvtoolu_1, content: {type: tool_search_tool_search_result, tool_references: [{type: tool_reference, tool_name: read_file}]}}]`,
        ...(shape`[{role: user, content: "Which tools are there?"},
          {role: assistant, content: [{type: tool_use, id: toolu_1, name: find_tools, input: {}}]},
          {role: user, content: [{type: tool_result, tool_use_id: toolu_1, content: [{type: tool_reference, tool_name: read_file}]}]}, ${thanks},
          {role: user, content: "Go on."},
          {role: system, content: [{type: tool_addition, tool: {type: tool_reference, name: read_file}}]}, ${thanks}]` as Json[]),
      ],
      fields: shape`{tools: [{type: tool_search_tool_bm25_20251119, name: tool_search_tool_bm25}, {name: find_tools, input_schema: ${schema}},
        {name: read_file, description: Reads, input_schema: ${schema}, defer_loading: true}]}`,
      stays: true,
    },
    'fields of every request': {
      fields: shape`{max_tokens: 2500, output_config: {effort: low, task_budget: {type: tokens, total: 50000}, format: {type: json_schema, schema: ${schema}}}}`,
    },
    'the whole on a thread': { fields: { thread: { type: 'create' } }, passes: 'message-thread' },
  },
};

const hosted = (...items: Shape) => [
  userOf('Use it.'),
  ...(shape(...items) as Json[]),
  shape`{id: msg_x, type: message, status: completed, role: assistant, content: [{type: output_text, text: So., annotations: []}]}`,
];

const responses: Api = {
  start: startOpenAiServer,
  list: 'input',
  user: userOf,
  async ask({ url, fetch }, body, streams) {
    const client = new OpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1`, fetch, maxRetries: 0 });
    const more = { store: false, include: ['reasoning.encrypted_content'] };
    const request: Json = { model: 'gpt-6.1', ...more, ...body };
    if (!streams) return (await client.responses.create(request)).output;
    const events: Json[] = [];
    const stream: Json = await client.responses.create({ ...request, stream: true });
    for await (const event of stream) events.push(event);
    return events.at(-1).response.output;
  },
  forms: {
    'what the user shows': {
      entries: [
        ...asked`[{type: input_text, text: "What is this?"}, {type: input_image, detail: auto, image_url: https://example.com/a.png}]`,
        ...asked`[{type: input_image, detail: high, file_id: file-1}]`,
        ...asked`[{type: input_file, file_id: file-2}, {type: input_file, file_url: https://example.com/a.pdf},
          {type: input_file, filename: a.pdf, file_data: data:application/pdf;base64,${pixel}}, {type: input_text, text: "What is in them?"}]`,
      ],
    },
    'what the model did at OpenAI, or calls besides functions': {
      entries: [
        ...hosted`[{id: ws_1, type: web_search_call, status: completed, action: {type: search, query: ctx}}]`,
        ...hosted`[{id: fs_1, type: file_search_call, status: completed, queries: [ctx], results: null}]`,
        ...hosted`[{id: ci_1, type: code_interpreter_call, status: completed, code: "1", container_id: cntr_1, outputs: null}]`,
        ...hosted`[{id: ig_1, type: image_generation_call, status: completed, result: ${pixel}}]`,
        ...hosted`[{id: mcpl_1, type: mcp_list_tools, server_label: one, tools: [{name: echo, input_schema: ${schema}}]},
          {id: mcpr_1, type: mcp_approval_request, server_label: one, name: echo, arguments: "{}"},
          {type: mcp_approval_response, approval_request_id: mcpr_1, approve: true},
          {id: mcp_1, type: mcp_call, server_label: one, name: echo, arguments: "{}", output: Echo., approval_request_id: mcpr_1}]`,
        ...hosted`[{id: cu_1, type: computer_call, call_id: call_2, status: completed, pending_safety_checks: [], actions: [{type: screenshot}]},
          {type: computer_call_output, call_id: call_2, output: {type: computer_screenshot, image_url: data:image/png;base64,${pixel}}}]`,
        ...hosted`[{id: sh_1, type: shell_call, call_id: call_3, status: completed, action: {commands: [ls]}},
          {type: shell_call_output, call_id: call_3, output: [{stdout: a, stderr: "", outcome: {type: exit, exit_code: 0}}]},
          {id: ap_1, type: apply_patch_call, call_id: call_4, status: completed, operation: {type: delete_file, path: a}},
          {type: apply_patch_call_output, call_id: call_4, status: completed, output: Done.}]`,
      ],
      fields: shape`{tools: [{type: web_search}, {type: file_search, vector_store_ids: [vs_1]}, {type: code_interpreter, container: {type: auto}}, {type: image_generation},
        {type: mcp, server_label: one, server_url: https://example.com/sse, require_approval: always}, {type: computer}, {type: shell, environment: {type: local}},
        {type: apply_patch}]}`,
    },
    'what names tools, programs and another configuration': {
      entries: [
        ...hosted`[{id: tsc_1, type: tool_search_call, call_id: null, execution: server, status: completed, arguments: {paths: [crm]}},
          {id: tso_1, type: tool_search_output, call_id: null, execution: server, status: completed, tools: [{type: function, name: read_file, parameters: ${schema}, strict: true, defer_loading: true}]},
          {id: fc_1, type: function_call, call_id: call_1, name: read_file, namespace: crm, arguments: "{}", status: completed},
          {type: function_call_output, call_id: call_1, output: Text.}]`,
        ...hosted`[{id: prog_1, type: program, call_id: call_5, code: read(), fingerprint: f},
          {id: fc_2, type: function_call, call_id: call_6, name: read_file, arguments: "{}", caller: {type: program, caller_id: call_5}},
          {type: function_call_output, call_id: call_6, output: Text., caller: {type: program, caller_id: call_5}},
          {id: po_1, type: program_output, call_id: call_5, result: Text., status: completed}]`,
        shape`{type: configuration_update, reasoning: {effort: low}}`,
        ...answered('Go on.'),
      ],
      fields: shape`{tools: [{type: tool_search}, {type: namespace, name: crm, description: C, tools: []}, {type: programmatic_tool_calling}]}`,
      stays: true,
    },
    'fields of every request': {
      fields: shape`{max_output_tokens: 2500, text: {format: {type: json_schema, name: a, schema: ${schema}, strict: true}}}`,
    },
  },
};

const chat: Api = {
  start: startOpenAiServer,
  list: 'messages',
  user: userOf,
  async ask({ url, fetch }, body, streams) {
    const client = new OpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1`, fetch, maxRetries: 0 });
    const request = { model: 'gpt-6.1', ...body };
    const { choices } = streams
      ? await client.chat.completions.stream(request).finalChatCompletion()
      : await client.chat.completions.create(request);
    return [choices[0]?.message];
  },
  forms: {
    'what the user shows, an answer that was spoken, and a custom tool': {
      entries: [
        ...asked`[{type: text, text: "What are these?"}, {type: image_url, image_url: {url: data:image/png;base64,${pixel}, detail: low}},
          {type: input_audio, input_audio: {data: ${pixel}, format: wav}}, {type: file, file: {file_id: file-1}}]`,
        ...(shape`[{role: user, content: Speak.}, {role: assistant, audio: {id: audio_1}}, {role: user, content: "Run it."},
          {role: assistant, content: null, tool_calls: [{id: call_1, type: custom, custom: {name: sh, input: ls}}]},
          {role: tool, tool_call_id: call_1, content: a}, ${thanks}]` as Json[]),
      ],
      fields: shape`{modalities: [text, audio], audio: {voice: alloy, format: wav}, tools: [{type: custom, custom: {name: sh}}]}`,
    },
    'fields of every request': {
      fields: shape`{max_completion_tokens: 2500, web_search_options: {}, response_format: {type: json_schema, json_schema: {name: a, schema: ${schema}, strict: true}}}`,
    },
  },
};

const spoken = (role: 'user' | 'model', ...parts: Json[]) => ({ role, parts });
const ofModel = (...parts: Shape) => [
  spoken('user', { text: 'Use it.' }),
  spoken('model', ...(shape(...parts) as Json[]), { text: 'So.' }),
];
const ofUser = (...part: Shape) => [
  spoken('user', shape(...part), { text: 'What is it?' }),
  spoken('model', { text: 'A file.' }),
];

const google: Api = {
  start: startGeminiServer,
  list: 'contents',
  user: (text) => ({ role: 'user', parts: [{ text }] }),
  async ask({ url, fetch }, { contents, ...config }, streams) {
    const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: url, fetch } });
    const request = { model: 'gemini-3.5-pro', contents, config };
    if (!streams) {
      const { candidates } = await client.models.generateContent(request);
      return [candidates?.[0]?.content];
    }
    const parts: Json[] = [];
    for await (const { candidates } of await client.models.generateContentStream(request))
      parts.push(...(candidates?.[0]?.content?.parts ?? []));
    return [{ role: 'model', parts }];
  },
  forms: {
    'what the user shows, and what the model did at Google': {
      entries: [
        ...ofUser`{inlineData: {mimeType: image/png, data: ${pixel}}}`,
        ...ofUser`{fileData: {mimeType: application/pdf, fileUri: files/1}}`,
        ...ofUser`{fileData: {mimeType: video/mp4, fileUri: files/2}, videoMetadata: {startOffset: 1s, endOffset: 2s}}`,
        ...ofModel`[{executableCode: {language: PYTHON, code: "1"}}, {codeExecutionResult: {outcome: OUTCOME_OK, output: "1"}}]`,
        ...ofModel`[{toolCall: {id: "1", toolType: GOOGLE_SEARCH_WEB, args: {queries: [ctx]}}},
          {toolResponse: {id: "1", toolType: GOOGLE_SEARCH_WEB, response: {found: true}}}]`,
      ],
      fields: shape`{tools: [{codeExecution: {}}, {googleSearch: {}}, {urlContext: {}}], toolConfig: {includeServerSideToolInvocations: true}}`,
    },
    'fields of every request': {
      fields: shape`{maxOutputTokens: 2500, tools: [{mcpServers: [{name: one, streamableHttpTransport: {url: https://example.com}}]}],
        responseMimeType: application/json, responseJsonSchema: ${schema}, cachedContent: cachedContents/1}`,
    },
  },
};

const apis = { messages, responses, chat, google };
const cases = Object.entries(apis).flatMap(([name, api]) =>
  Object.entries(api.forms).map(([form, its]) => [name, form, api, its] as const),
);

test.each(cases)('%s: %s', async (_, __, api, { entries = [], fields = {}, stays = false, passes }) => {
  const server = await opened(api.start({ script: () => ({ text: '{"path":"a"}', calls: [] }) }));
  const warnings: string[] = [];
  const fetch = contextFetch({
    config: { contextWindow: 6_000 },
    onWarning: ({ code }) => warnings.push(code),
  });
  const history: Json[] = [...entries];
  const bodies = () => server.requests.map(({ json }) => json as Json);
  for (let turn = 0; turn < 6; turn += 1) {
    history.push(api.user(words(600, `turn${turn}_`)));
    const sent = structuredClone(history);
    history.push(
      ...(await api.ask({ url: server.url, fetch }, { ...fields, [api.list]: history }, turn % 2 === 1)),
    );
    expect(history.slice(0, sent.length)).toEqual(sent);
  }
  expect(server.problems).toEqual([]);
  expect(warnings).toEqual(passes === undefined ? [] : [passes]);
  const [first, last] = [bodies()[0], bodies().at(-1)];
  const rest = ({ [api.list]: _list, stream: _stream, ...body }: Json) => body;
  expect(rest(last)).toEqual(rest(first));
  const kept = last[api.list];
  if (passes === undefined) expect(kept.length).toBeLessThan(history.length - 1);
  else expect(kept).toEqual(history.slice(0, -1));
  // The SDK of Google writes fields in its own order.
  const known = first[api.list].flatMap(pieces);
  for (const piece of kept.flatMap(pieces)) expect(known).toContainEqual(piece);
  if (stays) expect(kept.flatMap(pieces)).toEqual(known);
});

/** What of an entry is no text. */
function pieces(entry: Json): Json[] {
  const parts = entry.content ?? entry.parts;
  const isText = ({ type, text, role }: Json) =>
    type === 'text' || text !== undefined || (type === undefined && role);
  const isWhole = !Array.isArray(parts) || entry.type === 'reasoning';
  return (isWhole ? [entry] : parts).filter(
    (piece: Json) => !isText(piece) && piece.type !== 'message' && piece.type !== 'output_text',
  );
}

describe('requests of which the provider stores a part, or that ctx does not know, pass with a warning', () => {
  const set = async (start: Api['start']) => {
    const server = await opened(start({}));
    const warnings: string[] = [];
    const fetch = contextFetch({ onWarning: ({ code, message }) => warnings.push(`${code}: ${message}`) });
    return { server, warnings, fetch };
  };

  test('a response of OpenAI that is gone on from with a text', async () => {
    const { server, warnings, fetch } = await set(startOpenAiServer);
    const { responses: asks } = new OpenAI({ apiKey: 'k', baseURL: `${server.url}/v1`, fetch });
    let previous_response_id: string | null = null;
    for (const input of ['Look.', 'And now?', 'And then?'])
      previous_response_id = (await asks.create({ model: 'gpt-6.1', input, previous_response_id })).id;
    expect(server.problems).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(/^conversation-stored: /)]);
  });

  test.each<[string, Api['start'], (url: string, send: typeof fetch) => Promise<unknown>]>([
    [
      '/v1/interactions',
      startGeminiServer,
      (url, send) => {
        const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: url, fetch: send } });
        return client.interactions.create({ model: 'gemini-3.5-pro', input: 'Look.' });
      },
    ],
    [
      '/v1/conversations',
      startOpenAiServer,
      (url, send) => new OpenAI({ apiKey: 'k', baseURL: `${url}/v1`, fetch: send }).conversations.create({}),
    ],
    [
      '/v1/sessions',
      startAnthropicServer,
      (url, send) =>
        new Anthropic({ apiKey: 'k', baseURL: url, fetch: send }).beta.sessions.create({
          agent: 'a',
          environment_id: 'e',
        } as Json),
    ],
  ])('%s', async (path, start, ask) => {
    const { server, warnings, fetch } = await set(start);
    await ask(server.url, fetch).catch(() => undefined);
    await ask(server.url, fetch).catch(() => undefined);
    expect(server.requests.length).toBeGreaterThan(1);
    expect(warnings).toEqual([expect.stringContaining(`endpoint-unknown: Requests to ${path} `)]);
  });
});
