import { clearMergeCache, countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { CL100K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import type { EncodingTables } from './encoding-tables.js';

export const cl100kBase: EncodingTables = { countTokens, clearMergeCache, pattern: CL100K_TOKEN_SPLIT_REGEX };
