/** How full the window is. Each level starts at a configured share of the window. */
export const CompressionLevel = { NONE: 0, WARNING: 1, SOFT: 2, HARD: 3, EMERGENCY: 4 } as const;
export type CompressionLevel = (typeof CompressionLevel)[keyof typeof CompressionLevel];
