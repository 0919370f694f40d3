/**
 * The two parts of undici that are used, by their files: its door would also load fetch, WebSocket,
 * caches and mocks, which take 70 ms of every start, 600 KB of the bundle and 5 MB of memory for
 * nothing. The version is pinned; a test of the transport fails when these files move.
 */
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}

declare module 'undici/lib/core/errors.js' {
  import { errors } from 'undici';
  export default errors;
}
