/** The JSON schema of configurations, by itself because few need it and it is large. */
export { configJsonSchema } from './config/config-json-schema.js';
