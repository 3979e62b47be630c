import type { AnyModelMessage } from '@ctx/codec-ai-sdk';

/** What ctx reads of the options of `prepareStep`, in versions 5 to 7. */
export interface StepOptions<Message> {
  /** In version 7 what earlier steps returned, with what came since. */
  readonly messages: readonly Message[];
  readonly steps: readonly StepResult[];
  readonly model: string | { readonly provider: string; readonly modelId: string };
  /** Version 7 only. */
  readonly initialMessages?: readonly Message[] | undefined;
  /** Version 7 only. */
  readonly responseMessages?: readonly AnyModelMessage[] | undefined;
  /** Version 7 only: what the user said while the last step ran. */
  readonly experimental_steeringMessages?: readonly AnyModelMessage[] | undefined;
  /** Version 7 only. */
  readonly instructions?: unknown;
}

interface StepResult {
  readonly usage: { readonly inputTokens?: number | undefined };
  readonly response: { readonly messages?: readonly AnyModelMessage[] | undefined };
  readonly experimental_steeringMessages?: readonly AnyModelMessage[] | undefined;
}

/**
 * Everything that was said, in order and once. Where the SDK carries returned messages over to the next step it gives the original ones
 * apart; what a user said between two steps is in neither list then.
 */
export function wholeHistory<Message extends AnyModelMessage>(step: StepOptions<Message>): Message[] {
  const { initialMessages, responseMessages, experimental_steeringMessages: newest = [] } = step;
  if (initialMessages === undefined || responseMessages === undefined) return [...step.messages];
  const ofSteps = step.steps.map(({ response, experimental_steeringMessages: said = [] }) => ({
    said,
    answered: response.messages?.length ?? 0,
  }));
  const beforeSteps = responseMessages.length - ofSteps.reduce((sum, { answered }) => sum + answered, 0);
  const history: AnyModelMessage[] = [...initialMessages, ...responseMessages.slice(0, beforeSteps)];
  let at = beforeSteps;
  for (const { said, answered } of ofSteps) {
    history.push(...said, ...responseMessages.slice(at, at + answered));
    at += answered;
  }
  return [...history, ...newest] as Message[];
}
