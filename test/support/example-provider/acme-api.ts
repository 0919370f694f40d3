/** The API of the imaginary cloud Acme, as a vendor's SDK would give it. */
export interface Machine {
  readonly id: string;
  readonly hostname: string;
  /** In no particular order. */
  readonly ips: readonly string[];
  /** Networks for pods, of both families. */
  readonly podRanges: readonly string[];
  readonly size: string;
  readonly site: string;
  readonly power: 'on' | 'off' | 'scrapped';
}

export interface AcmeApi {
  /**
   * The machines that have one of these ids or host names. What does not exist is left out. Rejects when
   * the API cannot be reached, or with `retryAfterMs` when it is asked too often.
   */
  machines(
    filter: { readonly ids: readonly string[]; readonly hostnames: readonly string[] },
    signal: AbortSignal,
  ): Promise<readonly Machine[]>;
  /** Tells the ids of machines that were made, changed or scrapped, until the signal aborts. */
  follow(onChange: (ids: readonly string[]) => void, signal: AbortSignal): void;
  /** What our token may do. Rejects with the code `AcmeUnauthorized` when it is not valid. */
  rights(signal: AbortSignal): Promise<readonly string[]>;
}
