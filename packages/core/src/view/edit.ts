import type { MessageId } from '../transcript/message.js';

interface EditForms {
  /** Whole exchanges leave the view. */
  readonly drop: {
    readonly type: 'drop';
    readonly messages: readonly MessageId[];
    readonly reason: string;
  };
  /**
   * Some of an assistant's tool calls leave together with their results. Everything else the assistant said stays, and
   * something must stay. `messages` are the assistant's message and the tool messages with the results; `calls` are the
   * ids of the calls.
   */
  readonly 'drop-calls': {
    readonly type: 'drop-calls';
    readonly messages: readonly MessageId[];
    readonly calls: readonly string[];
    readonly reason: string;
  };
  /**
   * One part gets a shorter text: a placeholder or a truncation. A tool result keeps its id and error flag. An image or
   * file becomes a text part. For a tool call, `text` must be a JSON object and becomes its input.
   */
  readonly replace: {
    readonly type: 'replace';
    readonly message: MessageId;
    readonly part: number;
    readonly text: string;
    readonly reason: string;
  };
  /** Several whole exchanges become one user message, in the place of the first or the last. */
  readonly merge: {
    readonly type: 'merge';
    readonly messages: readonly MessageId[];
    readonly text: string;
    readonly placement: 'first' | 'last';
    readonly reason: string;
  };
  /** Unresolved: becomes a merge through the `summarize` port. */
  readonly summarize: {
    readonly type: 'summarize';
    readonly messages: readonly MessageId[];
    /** The messages that the summary is about. @default those that it replaces */
    readonly about?: readonly MessageId[];
    readonly instructions?: string;
    /** The longest useful summary. */
    readonly maxTokens: number;
    readonly placement?: 'first' | 'last';
    readonly reason: string;
  };
  /** Unresolved: becomes a replace through the `fold` port. */
  readonly fold: {
    readonly type: 'fold';
    readonly message: MessageId;
    readonly part: number;
    readonly paths: readonly string[];
    readonly reason: string;
  };
}

export type DropEdit = EditForms['drop'];
export type DropCallsEdit = EditForms['drop-calls'];
export type ReplaceEdit = EditForms['replace'];
export type MergeEdit = EditForms['merge'];
export type SummarizeEdit = EditForms['summarize'];
export type FoldEdit = EditForms['fold'];

/** A plugin's own edit. Its resolver turns it into resolved edits. */
export interface CustomEdit {
  readonly type: string & {};
  readonly reason: string;
  readonly [key: string]: unknown;
}

/** An edit that core can apply. Plain JSON. */
export type ResolvedEdit = DropEdit | DropCallsEdit | ReplaceEdit | MergeEdit;

type AnyEdit = ResolvedEdit | SummarizeEdit | FoldEdit | CustomEdit;

/** An edit that a strategy may propose: of any type, or of the one that is named, as in `Edit<'drop'>`. */
export type Edit<Type extends string = string> = string extends Type
  ? AnyEdit
  : Extract<AnyEdit, { readonly type: Type }>;
