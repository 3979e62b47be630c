/** The page of a session, without the peers and their dependencies. It brings the bundler, which makes the page's script. */
export { renderSession } from './report/render-session.js';
