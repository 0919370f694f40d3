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

/** A `watch` is any request whose answer has no end, streaming lists included. */
export type ExchangeKind = 'read' | 'write' | 'watch';

export function kindOf(method: string, query: URLSearchParams): ExchangeKind {
  if (method !== 'GET' && method !== 'HEAD') return 'write';
  const watch = query.get('watch');
  return watch === '1' || watch === 'true' ? 'watch' : 'read';
}
