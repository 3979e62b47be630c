export { arbitraryEdits, arbitraryTranscript } from './arbitraries.js';
export { type CodecSuite, testCodec } from './codec-suite.js';
export { deepFreeze } from './deep-freeze.js';
export { and, assistant, call, result, system, transcript, user } from './dsl.js';
export { expectView } from './expect-view.js';
export { checkLaws, type Lawful, type LawName, type LawOptions, lawNames } from './laws.js';
export { managerOf, type PlanningOptions, planContextOf } from './plan-context.js';
export { type Deviation, testStrategy } from './strategy-suite.js';
export { wordCounter, words } from './words.js';
