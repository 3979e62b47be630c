import type { AnswerForm } from './answer-form.js';
import { anthropicAnswers } from './anthropic-answers.js';
import { chatAnswers } from './chat-answers.js';
import { googleAnswers } from './google-answers.js';
import { responsesAnswers } from './responses-answers.js';

/** How the answers of each API are read. */
export const answerForms = {
  anthropic: anthropicAnswers,
  chat: chatAnswers,
  google: googleAnswers,
  responses: responsesAnswers,
} satisfies Readonly<Record<string, AnswerForm>>;

export type AnswerFormName = keyof typeof answerForms;
