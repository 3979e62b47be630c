export { argumentsOf } from './call-title.js';
export { candidatesOf, type Source } from './candidates.js';
export { choose, heldWith, hold } from './choose.js';
export { ConversationIndex, indexOfConversation } from './conversation-index.js';
export { headTokens } from './draft.js';
export { type Excerpt, excerptOf } from './excerpt.js';
export {
  excerptSections,
  intro,
  isExcerpt,
  outlineHeading,
  sectionText,
  trailHeading,
  workIntro,
} from './excerpt-text.js';
export { rootFolderOf } from './root-folder.js';
export { sectionsOf } from './sections.js';
export { namedSince, sourcesIn } from './sources-in.js';
export { trailOf } from './trail/trail.js';
export { linesOf } from './unit-text.js';
export { unitsOf } from './units.js';
export {
  fewestTurns,
  gapTokens,
  headingTokens,
  indexShare,
  mostUsers,
  spare,
  usualForm,
  usualTokensPerCharacter,
} from './weights.js';
