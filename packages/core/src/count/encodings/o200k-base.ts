import { clearMergeCache, countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import type { EncodingTables } from './encoding-tables.js';

export const o200kBase: EncodingTables = { countTokens, clearMergeCache, pattern: O200K_TOKEN_SPLIT_REGEX };
