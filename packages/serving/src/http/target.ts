/**
 * The target of a request, taken apart and otherwise left alone. Pages are found by the path as it
 * came; the API server is asked about the path decoded once, which is what roles are written for. So
 * no spelling of a path reaches a page that it was not reviewed for: a path with anything encoded in
 * it is no page at all.
 */
export interface Target {
  /** As it came, up to the question mark. */
  readonly path: string;
  /** What the API server is asked about. */
  readonly reviewedPath: string;
  readonly query: URLSearchParams;
}

export function readTarget(url: string): Target {
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const query = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
  return { path, reviewedPath: decodedOnce(path), query };
}

/** What is not an encoding stands for itself: rights to everything are needed to be told 404. */
function decodedOnce(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
