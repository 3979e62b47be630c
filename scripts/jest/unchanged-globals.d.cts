export const unchangedGlobals: string[];
