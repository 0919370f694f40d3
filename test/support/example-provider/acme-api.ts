/** The API of the imaginary cloud Acme, as a vendor's SDK would give it. */
export interface Machine {
  readonly id: string;
  readonly hostname: string;
  /** In no particular order. */
  readonly ips: readonly string[];
  /** Networks for pods. */
  readonly podRanges: { readonly IPv4: readonly string[]; readonly IPv6: readonly string[] };
  readonly size: string;
  readonly site: string;
  readonly power: 'on' | 'off' | 'scrapped';
}

/** No two routes have the same network. */
export interface AcmeRoute {
  readonly network: string;
  /** The id of the machine that it leads to; undefined where it leads to a gateway. */
  readonly machine: string | undefined;
  /** What its maker wrote on it. */
  readonly tag: string;
}

/**
 * Every request rejects when the API cannot be reached or the signal aborts, and with `retryAfterMs` when
 * the API is asked too often.
 */
export interface AcmeApi {
  /** The machines that have one of these ids or host names. What does not exist is left out. */
  machines(
    filter: { readonly ids: readonly string[]; readonly hostnames: readonly string[] },
    signal: AbortSignal,
  ): Promise<readonly Machine[]>;
  /** Tells the ids of machines that were made, changed or scrapped, until the signal aborts. */
  follow(onChange: (ids: readonly string[]) => void, signal: AbortSignal): void;
  /** What our token may do; nothing when it is not valid. */
  rights(signal: AbortSignal): Promise<readonly string[]>;
  routes(signal: AbortSignal): Promise<readonly AcmeRoute[]>;
  /** Rejects with the code `AcmeRouteTaken`, `AcmeNoRoute` or `AcmeTableFull` where it changes nothing. */
  changeRoute(
    change: AcmeRoute & { readonly action: 'create' | 'replace' | 'delete' },
    signal: AbortSignal,
  ): Promise<void>;
}
