export function packagesIn(root: string): { readonly name: string; readonly folder: string }[];
