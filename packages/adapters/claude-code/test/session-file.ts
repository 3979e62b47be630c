import { compact, type Row, sessionOf } from '@ctx/claude-code';

/** A session's file, written as Claude Code 2.1.330 writes it. */
export class SessionFile {
  readonly lines: object[] = [];
  #parent: string | null = null;
  #made = 0;
  #response = 0;

  get text(): string {
    return this.lines.map((line) => JSON.stringify(line)).join('\n');
  }

  get newest(): string | null {
    return this.#parent;
  }

  #add(type: string, more: object, parent = this.#parent): string {
    this.#made += 1;
    const uuid = `uuid-${this.#made}`;
    this.lines.push({ parentUuid: parent, isSidechain: false, type, ...more, uuid });
    this.#parent = uuid;
    return uuid;
  }

  user(content: string | readonly object[], parent = this.#parent): string {
    return this.#add('user', { message: { role: 'user', content } }, parent);
  }

  result(id: string, content: string): string {
    return this.user([{ type: 'tool_result', tool_use_id: id, content }]);
  }

  /** A response, a line for each block. */
  response(...blocks: readonly object[]): void {
    this.#response += 1;
    for (const block of blocks)
      this.#add('assistant', {
        message: { id: `msg-${this.#response}`, role: 'assistant', content: [block] },
      });
  }

  /** What Claude Code writes when the conversation is replaced by rows. A row by handle is copied from its line, with its response's id. */
  replaced(rows: readonly Row[]): void {
    const before = this.#parent;
    this.#add(
      'system',
      {
        subtype: 'compact_boundary',
        logicalParentUuid: before,
        compactMetadata: { trigger: 'auto', preTokens: 900, postTokens: 300, durationMs: 20 },
      },
      null,
    );
    for (const { role, text, toolUses, toolResults = [], handle } of rows) {
      const copied = this.lines.find(
        (line) => handle !== undefined && (line as { uuid?: string }).uuid === handle,
      ) as { message: object } | undefined;
      if (copied !== undefined) {
        this.#add(role, { message: copied.message });
        continue;
      }
      this.#response += 1;
      const blocks = [
        ...(text === '' ? [] : [{ type: 'text', text }]),
        ...toolUses.map((use) => ({
          type: 'tool_use',
          id: use.tool_use_id,
          name: use.tool,
          input: use.input,
        })),
        ...toolResults.map((one) => ({
          type: 'tool_result',
          tool_use_id: one.tool_use_id,
          content: one.text,
        })),
      ];
      for (const block of blocks)
        this.#add(role, { message: { id: `msg-${this.#response}`, role, content: [block] } });
    }
    this.lines.push({ type: 'last-prompt', text: 'x' });
    this.#add('user', { isMeta: true, message: { role: 'user', content: '<local-command-caveat>…' } });
    this.user('<command-name>/compact</command-name>');
    this.user('<local-command-stdout>Compacted </local-command-stdout>');
  }

  /** Compacts as the mod does. */
  async compact(): Promise<void> {
    const session = sessionOf(this.text);
    const { rows } = await compact(session?.originals ?? [], { usage: undefined, now: 0, handles: true });
    if (rows === undefined) throw new Error('Too little was saved');
    this.replaced(rows);
  }
}
