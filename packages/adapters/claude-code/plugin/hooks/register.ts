import type { Register } from 'claude-code';
import {
  asTheyAre,
  compact,
  isShownWhole,
  liveSession,
  readInRanges,
  recall,
  sessionOf,
  shortened,
  shownFiles,
  statusOf,
} from './ctx.js';

/** Versions of Claude Code whose hooks are known. */
const known = /^2\.1\./;
/** Bytes of a session's file from which on it is not read again for each compaction. */
const mostBytes = 32_000_000;
const undoing = 'ctx undo';
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const said = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** What is read of the session's file with. */
interface Host {
  readonly session: { info(): Promise<{ readonly transcriptPath: string }> };
  readonly fs: {
    stat(path: string): Promise<{ readonly size: number }>;
    read(path: string, range: { offset: number; length: number }): Promise<string>;
  };
}

/** Of what Claude Code says about the request. */
interface Breakdown {
  readonly categories?: readonly { readonly name: string; readonly tokens: number }[];
  readonly autoCompactThreshold?: number;
}

interface ResultBlock {
  readonly type: string;
  readonly tool_use_id?: string;
  readonly content?: unknown;
}

/** The text of the session's file, or of a sub-agent's; undefined if it can't be read. */
async function fileOf($: Host, agentId?: string): Promise<string | undefined> {
  try {
    const { transcriptPath } = await $.session.info();
    const path = agentId
      ? transcriptPath.replace(/\.jsonl$/, `/subagents/agent-${agentId}.jsonl`)
      : transcriptPath;
    const { size } = await $.fs.stat(path);
    return size > mostBytes ? undefined : await readInRanges(size, (range) => $.fs.read(path, range));
  } catch {
    return undefined;
  }
}

export const register: Register = (on, options) => {
  const mode = String((options as { mode?: unknown }).mode ?? 'compact');
  if (mode === 'off') return;

  /**
   * Files that are shown whole after the last compaction, of each agent: Claude Code has forgotten that they were read, and would refuse to edit
   * them.
   */
  const shown = new Map<string | undefined, Map<string, string>>();

  on('session.start', async ($, e, next) => {
    try {
      await $.tool.register({
        name: 'recall',
        description:
          'Finds what was said earlier in this conversation and is no longer shown, word for word: by handles such as #m12 or #m3-#m9, or by a few words.',
        isDeferred: false,
        inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
      });
      await $.command.register({
        name: 'ctx',
        description: 'What ctx compacted; undo; find',
        argumentHint: '[undo | find WORDS]',
      });
    } catch (error) {
      $.ui.log(`recall and /ctx are missing: ${said(error)}`);
    }
    return next(e);
  });

  on('session.compact', async ($, e, next) => {
    if (e.trigger === 'precompute') return { skip: 'ctx needs no time before' };
    const start = performance.now();
    try {
      const { version } = await $.session.version();
      if (!known.test(version)) {
        $.ui.log(`this version of Claude Code (${version}) is not known to ctx yet, so Claude Code compacts`);
        return next(e);
      }
      const sent = e.messages as never;
      // Claude Code counts the request while the file is read.
      const counted = $.session.usage({ breakdown: 'summary' });
      counted.catch(() => {});
      const text = await fileOf($, e.agentId);
      const session = text === undefined ? undefined : liveSession(text, sent);
      if (e.instructions?.trim() === undoing) {
        if (session?.undone === undefined) return { skip: 'there is no compaction to undo' };
        $.ui.log('the last compaction is undone');
        return { messages: asTheyAre(session.undone) as never };
      }
      const { context } = await counted;
      const { categories = [], autoCompactThreshold } = (context.breakdown ?? {}) as Breakdown;
      const messages = categories.find((one) => one.name === 'Messages')?.tokens;
      // What starts by itself starts at the threshold.
      const threshold = Math.min(
        autoCompactThreshold ?? context.window,
        e.trigger === 'auto' ? (context.tokens ?? context.window) : context.window,
      );
      const { rows, report } = await compact(session?.originals ?? sent, {
        sent,
        usage: e.agentId || !context.tokens ? undefined : { threshold, tokens: context.tokens, messages },
        focus: e.instructions,
        handles: session !== undefined,
        now: await $.clock.now(),
        left: () => next.budget.remainingMs,
        pause: () => $.clock.now(),
      });
      const { tokensBefore, tokensAfter, did, failed } = report;
      if (next.signal.aborted) return { skip: 'Claude Code has not waited' };
      if (failed !== undefined) {
        $.ui.log(`ctx failed, so Claude Code compacts: ${failed}`);
        return next(e);
      }
      const what = `${tokensBefore.toLocaleString('en')} → ${tokensAfter.toLocaleString('en')} tokens of conversation in ${seconds(performance.now() - start)}`;
      if (rows === undefined) {
        $.ui.log(
          `it would save too little (${what}; ${did.join(', ') || 'nothing to remove'}), so Claude Code compacts`,
        );
        return next(e);
      }
      $.ui.log(
        `${what}, no model asked${session ? '' : '; the file of the session could not be read, so this is from what is shown'}.${e.agentId ? '' : ' /ctx undo brings it back.'}`,
      );
      shown.set(e.agentId, shownFiles(rows));
      return { messages: rows as never, tokensBefore, tokensAfter };
    } catch (error) {
      $.ui.log(`ctx failed, so Claude Code compacts: ${said(error)}`);
      return next(e);
    }
  }).catch(($, e, next) => {
    // Else it is Claude Code that failed.
    if (!next.called) $.ui.log('ctx took too long, so Claude Code compacts');
    return next(e);
  });

  on('tool.call', { tool: 'mcp__ctx__recall' }, async ($, e) => {
    const { query = '', agentId } = e as { query?: unknown; agentId?: string };
    const text = await fileOf($, agentId);
    const session = text === undefined ? undefined : sessionOf(text);
    return {
      result:
        session === undefined
          ? 'The file of this session can not be read.'
          : recall(session.originals, String(query)),
    } as never;
  });

  on('tool.call', { tool: 'Edit' }, async ($, e, next) => {
    const { file_path: path, agentId } = e as { file_path?: unknown; agentId?: string };
    const file_path = String(path);
    const text = shown.get(agentId)?.get(file_path);
    shown.get(agentId)?.delete(file_path);
    try {
      if (text !== undefined && isShownWhole(await $.fs.read(file_path), text))
        await $.agent.call({ tool: 'Read', input: { file_path }, ...(agentId && { agentId }) });
    } catch {
      // Then Claude Code says that the file has to be read.
    }
    return next(e);
  });

  on('command.run', { command: 'ctx' }, async ($, e) => {
    const [action = '', ...words] = e.args.trim().split(/\s+/);
    const text = await fileOf($);
    const session = text === undefined ? undefined : sessionOf(text);
    if (session === undefined)
      return {
        text: 'Nothing was said yet, or the file of this session can not be read.',
        isTextDisplayOnly: true,
      };
    if (action === 'undo') {
      if (session.undone === undefined)
        return { text: 'There is no compaction to undo.', isTextDisplayOnly: true };
      // Inside the hook Claude Code refuses the command.
      $.clock.after(50, async () => {
        await $.command
          .run({ command: 'compact', args: undoing })
          .catch((error: unknown) => $.ui.log(`undo failed: ${said(error)}`));
      });
      return { text: 'undoing the last compaction', isTextDisplayOnly: true };
    }
    const answer = action === 'find' ? recall(session.originals, words.join(' ')) : statusOf(session);
    return { text: answer, isTextDisplayOnly: true };
  });

  if (mode !== 'compact+arrivals') return;
  on('session.append', { door: 'tool-result' }, async ($, e, next) => {
    try {
      const { transcriptPath } = await $.session.info();
      let isCut = false;
      const content = [];
      for (const block of e.message.content as readonly ResultBlock[]) {
        const path = transcriptPath.replace(/\.jsonl$/, `/ctx/${block.tool_use_id}.txt`);
        const text =
          block.type === 'tool_result' && typeof block.content === 'string'
            ? shortened(block.content, path)
            : undefined;
        if (text !== undefined) await $.fs.write(path, String(block.content));
        isCut ||= text !== undefined;
        content.push(text === undefined ? block : { ...block, content: text });
      }
      return isCut ? next({ ...e, message: { ...e.message, content } } as never) : next(e);
    } catch (error) {
      $.ui.log(`a result was not shortened: ${said(error)}`);
      return next(e);
    }
  });
};
