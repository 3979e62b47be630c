/** What strategies and types of edits are written with. */

export { digestOf } from './base/digest.js';
export { jsonText } from './base/json.js';
export { nearest } from './base/nearest.js';
export { firedBy } from './budget/trigger.js';
export { faultsIn, parseOptions } from './config/faults.js';
export { matches } from './config/match.js';
export { cutJsonInSteps } from './kit/cut-json.js';
export { cutTextInSteps, extentOf, pluralise } from './kit/cut-text.js';
export { withoutEncoded } from './kit/encoded.js';
export { reportsFailure } from './kit/failures.js';
export { fileSections } from './kit/file-sections.js';
export { fileToolSchema } from './kit/file-tool-schema.js';
export {
  type FileTool,
  fileReadTools,
  fileToolOf,
  fileWriteTools,
  pathArguments,
  pathsOf,
  terminalTools,
} from './kit/file-tools.js';
export { mediaMark, mediaName } from './kit/media-name.js';
export { isTextOutput } from './transcript/message.js';
export { CheckedTranscript as Transcript, messagesIn } from './transcript/parse-message.js';
export { isExpendable, personsWords } from './transcript/persons-words.js';
export { replacePart } from './view/edited-message.js';
export { about, type Check } from './view/edits/edit-kind.js';
export { isResolved } from './view/edits/index.js';
export { compareByPriority, exchangesInSteps, segmentsOf, whileEnoughStay } from './view/exchange.js';
export { applyEdits } from './view/gate.js';
export { withoutHandle } from './view/handle.js';
export { validateView } from './view/validate.js';
