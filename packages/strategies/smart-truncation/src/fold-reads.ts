import type { Edit } from '@ctx/core';
import { defineStrategy, filesOf, isErrorResult, toolUsesOf } from '@ctx/core';
import { type FileTool, isTextOutput } from '@ctx/core/kit';

/** Folds the results of file reads in the whole conversation, except errors and the newest `keepNewest`. */
export function foldReads(readTools: readonly FileTool[], keepNewest: number) {
  return defineStrategy({
    name: 'fold-reads',
    emits: ['fold'],
    plan({ view }) {
      const reads = toolUsesOf(view).filter(
        ({ call, result }) =>
          filesOf(call, readTools).length > 0 && !isErrorResult(result) && isTextOutput(result.output),
      );
      const edits: Edit<'fold'>[] = reads
        .slice(0, Math.max(0, reads.length - keepNewest))
        .filter(({ message }) => !message.pinned)
        .map(({ message, part, call }) => ({
          type: 'fold',
          message: message.id,
          part,
          paths: filesOf(call, readTools),
          reason: 'a file read, folded to what it defines',
        }));
      return { edits, notes: { readsToFold: edits.length } };
    },
  });
}
