/**
 * Splits the target of a request and changes nothing else. Pages are found by the path as the client sent it. Access reviews
 * use the path decoded once, because roles name decoded paths. A path with any encoded character is no page, so no spelling
 * of a path reaches a page that was not reviewed.
 */
export interface Target {
  /** The path as the client sent it, up to the question mark. */
  readonly path: string;
  /** The path in access reviews. */
  readonly reviewedPath: string;
  readonly query: URLSearchParams;
}

export function readTarget(url: string): Target {
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const query = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
  return { path, reviewedPath: decodedOnce(path), query };
}

/** Returns a path that cannot be decoded unchanged. Only a client with rights to all paths then gets the 404. */
function decodedOnce(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
