import { type Fields, fieldsOf, isFields, jsonOf, nameAt, nativeInvalid, parseJson } from '@ctx/core/codec';

/** Converts a block of Converse to one of Anthropic's Messages API; blocks without an equivalent stay as they are. */
export function anthropicBlock(value: unknown, place: string): Fields {
  const block = fieldsOf(value, place, 'A content block is an object such as { text }.');
  const { toolUse, toolResult, reasoningContent, image, document } = block;
  if (typeof block.text === 'string') return { type: 'text', ...block };
  if (isFields(toolUse)) return callOf(toolUse, `${place}.toolUse`);
  if (isFields(toolResult)) return resultOf(toolResult, `${place}.toolResult`);
  return (
    (isFields(reasoningContent) ? thinkingOf(reasoningContent) : undefined) ??
    (isFields(image) ? imageOf(image) : undefined) ??
    (isFields(document) ? documentOf(document) : undefined) ?? {
      type: `converse-${Object.keys(block)[0]}`,
      ...block,
    }
  );
}

function callOf(toolUse: Fields, place: string): Fields {
  const remedy = 'A toolUse is { toolUseId, name, input }.';
  const { toolUseId: _, ...rest } = toolUse;
  nameAt(toolUse, 'name', place, remedy);
  return { type: 'tool_use', id: nameAt(toolUse, 'toolUseId', place, remedy), ...rest };
}

function resultOf(toolResult: Fields, place: string): Fields {
  const { toolUseId: _, content, status, ...rest } = toolResult;
  if (content !== undefined && !Array.isArray(content))
    throw nativeInvalid(
      'A list was expected',
      `${place}.content`,
      content,
      'The content of a toolResult is a list of blocks.',
    );
  return {
    type: 'tool_result',
    tool_use_id: nameAt(toolResult, 'toolUseId', place, 'A toolResult names the call that it answers.'),
    ...rest,
    ...(content !== undefined && {
      content: content.map((item: unknown, at) => itemOf(item, `${place}.content[${at}]`)),
    }),
    ...(status !== undefined && { is_error: status === 'error' }),
  };
}

/** JSON in a result becomes a marked text, so that it can be read and cut like any other. */
function itemOf(value: unknown, place: string): Fields {
  if (isFields(value) && value.json !== undefined)
    return { type: 'text', text: jsonOf(value.json, `${place}.json`), converse: 'json' };
  return anthropicBlock(value, place);
}

function thinkingOf({ reasoningText, redactedContent }: Fields): Fields | undefined {
  if (typeof redactedContent === 'string') return { type: 'redacted_thinking', data: redactedContent };
  if (!isFields(reasoningText) || typeof reasoningText.text !== 'string') return undefined;
  const { text, ...rest } = reasoningText;
  return { type: 'thinking', thinking: text, ...rest };
}

function bytesIn(source: unknown): string | undefined {
  return isFields(source) && typeof source.bytes === 'string' ? source.bytes : undefined;
}

function imageOf({ format, source, ...rest }: Fields): Fields | undefined {
  const data = bytesIn(source);
  if (data === undefined) return undefined;
  return { type: 'image', source: { type: 'base64', media_type: `image/${String(format)}`, data }, ...rest };
}

/** A PDF. Anthropic has no form for the other documents of this API. */
function documentOf({ format, name, source, ...rest }: Fields): Fields | undefined {
  const data = bytesIn(source);
  if (data === undefined || format !== 'pdf') return undefined;
  return {
    type: 'document',
    source: { type: 'base64', media_type: 'application/pdf', data },
    ...(name !== undefined && { title: name }),
    ...rest,
  };
}

/** Converts a block of Anthropic's Messages API to one of Converse. */
export function converseBlock(block: Fields): Fields {
  const { type, ...rest } = block;
  switch (type) {
    case 'text':
      return isJson(rest) ? { json: parseJson(String(rest.text)) } : withoutForm(rest);
    case 'tool_use': {
      const { id, ...use } = rest;
      return { toolUse: { toolUseId: id, ...use } };
    }
    case 'tool_result': {
      const { tool_use_id: toolUseId, content, is_error: isError, ...result } = rest;
      return {
        toolResult: {
          toolUseId,
          ...result,
          ...(content !== undefined && { content: blocksOf(content).map(converseBlock) }),
          ...(isError !== undefined && { status: isError === true ? 'error' : 'success' }),
        },
      };
    }
    case 'thinking': {
      const { thinking: text, ...signed } = rest;
      return { reasoningContent: { reasoningText: { text, ...signed } } };
    }
    case 'redacted_thinking':
      return { reasoningContent: { redactedContent: rest.data } };
    case 'image': {
      const { source, ...image } = rest;
      if (!isFields(source)) return rest;
      const format = String(source.media_type).replace(/^image\//, '');
      return { image: { format, source: { bytes: source.data }, ...image } };
    }
    case 'document': {
      const { source, title, ...document } = rest;
      if (!isFields(source)) return rest;
      const name = title ?? 'document';
      return { document: { format: 'pdf', name, source: { bytes: source.data }, ...document } };
    }
    default:
      return rest;
  }
}

/** A string is one text; an empty one is none, as the API refuses empty texts. */
export function blocksOf(content: unknown): Fields[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isFields) : [];
}

function isJson({ converse, text }: Fields): boolean {
  if (converse !== 'json') return false;
  try {
    JSON.parse(String(text));
    return true;
  } catch {
    return false;
  }
}

function withoutForm({ converse: _, ...rest }: Fields): Fields {
  return rest;
}
