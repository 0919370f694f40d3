/** One request that went through the proxy, and what became of it. */
export interface Exchange {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly kind: ExchangeKind;
  readonly body: string;
  readonly userAgent: string;
  /** By the wall clock, as the log of a server has it. */
  readonly receivedAtMs: number;
  /** What was answered, by the server or in its place; undefined as long as nothing was. */
  status: number | undefined;
  /** Whether it reached the server. */
  isForwarded: boolean;
}

/**
 * A `watch` is any request whose answer has no end, streaming lists included; a `review` asks for
 * rights or an identity, which Kubernetes has as a POST although it changes nothing.
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
