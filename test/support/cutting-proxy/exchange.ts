/** One request that went through the proxy, and its outcome. */
export interface Exchange {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly kind: ExchangeKind;
  readonly body: string;
  readonly userAgent: string;
  /** By the wall clock, as in the log of a server. */
  readonly receivedAtMs: number;
  /** The answer of the server or of the proxy; undefined while there is none. */
  status: number | undefined;
  /** Whether it reached the server. */
  isForwarded: boolean;
}

/**
 * A `watch` is any request whose answer has no end, also a streaming list. A `review` asks for rights or an identity:
 * Kubernetes uses a POST for it, although it changes nothing.
 */
type ExchangeKind = 'read' | 'write' | 'watch' | 'review';

export function kindOf(
  method: string,
  { pathname, searchParams }: Pick<URL, 'pathname' | 'searchParams'>,
): ExchangeKind {
  if (reviews.test(pathname)) return 'review';
  if (method !== 'GET' && method !== 'HEAD') return 'write';
  const watch = searchParams.get('watch');
  return watch === '1' || watch === 'true' ? 'watch' : 'read';
}

const reviews = /^\/apis\/(?:authorization|authentication)\.k8s\.io\/.*reviews$/;
