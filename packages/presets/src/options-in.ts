/** The options of the strategy that a package makes with `strategyFactory`, as a configuration gives them. */
export type OptionsIn<Package> = {
  [Name in keyof Package]: Package[Name] extends {
    readonly declaration: { readonly options: { readonly _zod: { readonly input: infer Options } } };
  }
    ? Options
    : never;
}[keyof Package];
