export declare const unchangedGlobals: string[];
