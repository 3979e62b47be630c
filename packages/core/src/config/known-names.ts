/**
 * Strategies by name, with the options they take. A package that registers strategies adds them with `declare module '@ctx/core'`, so that
 * editors complete them in a configuration.
 */
// biome-ignore lint/suspicious/noEmptyInterface: core knows no strategy; other packages add theirs.
export interface KnownStrategies {}

/** Providers by name, added in the same way. */
// biome-ignore lint/suspicious/noEmptyInterface: core knows no provider.
export interface KnownProviders {}

/** Models by name, added in the same way. */
// biome-ignore lint/suspicious/noEmptyInterface: core knows no model.
export interface KnownModels {}
