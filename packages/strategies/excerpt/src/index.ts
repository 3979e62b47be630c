export { argumentsOf } from './call-title.js';
export { type Candidates, candidatesOf, type Source } from './candidates.js';
export { type Choice, type ChooseOptions, choose } from './choose.js';
export { ConversationIndex, type ReadSection } from './conversation-index.js';
export { type Excerpt, type ExcerptOptions, excerptOf, headTokens } from './excerpt.js';
export {
  type ExcerptSection,
  excerptSections,
  excerptText,
  intro,
  isExcerpt,
  type ShownPart,
  sectionText,
  trailHeading,
  workIntro,
} from './excerpt-text.js';
export type { KeptLine } from './explain.js';
export { heldWith, hold } from './held-terms.js';
export { indexOfConversation } from './index-of-conversation.js';
export { type Block, type Section, sectionsOf, type Voice } from './sections.js';
export type { ExcerptHead, SourceGroups } from './source-groups.js';
export { sourcesIn } from './sources-in.js';
export { describeUse, type Use } from './term-use.js';
export { TermIndex, type TermKind } from './terms/index.js';
export type { ToolDeed, ToolDeeds } from './trail/deed.js';
export { type TrailOptions, trailOf } from './trail/trail.js';
export type { UnitList } from './unit-list.js';
export type { Unit } from './unit-table.js';
export { linesOf } from './unit-text.js';
export { unitsOf } from './units.js';
export { spare, usualTokensPerCharacter } from './weights.js';
