/**
 * The settings of the secure port: plain data from flags, checked by the code that made it. Names of ciphers and versions
 * and numbers of curves are Go's, as users of upstream's flags know them; `tlsProblems` says which of them are not
 * available.
 */
export interface ServingSettings {
  /** `0.0.0.0` and `::` both mean every address of both families. */
  readonly bindAddress: string;
  /** With 0, there is no secure port. */
  readonly port: number;
  /** Whether other processes may listen on the same port (`--permit-port-sharing`). */
  readonly permitPortSharing: boolean;
  readonly certificate: CertificateSource;
  /** Further certificates, chosen by the name that a client asks for. */
  readonly sniCertificates: readonly SniCertificate[];
  readonly tls: TlsSettings;
  readonly authentication: AuthenticationSettings;
  readonly authorization: AuthorizationSettings;
  /** Whether `/debug/pprof` exists. */
  readonly profiling: boolean;
}

export type CertificateSource =
  /** `--tls-cert-file` and `--tls-private-key-file`. */
  | { readonly kind: 'files'; readonly certFile: string; readonly keyFile: string }
  /** `--cert-dir`: the pair with the manager's name in that directory, which the manager creates if it is missing. */
  | { readonly kind: 'directory'; readonly directory: string }
  /** Created at start and kept in memory. */
  | { readonly kind: 'self-signed' };

/** One `--tls-sni-cert-key`. */
export interface SniCertificate {
  readonly certFile: string;
  readonly keyFile: string;
  /** Host names and patterns such as `*.example.com`. If empty, the names in the certificate apply. */
  readonly names: readonly string[];
}

export interface TlsSettings {
  /** `--tls-cipher-suites`: IANA's names as Go spells them. Empty for the default. */
  readonly cipherSuites: readonly string[];
  /** `--tls-curve-preferences`: Go's numbers of curves. Empty for the default. */
  readonly curvePreferences: readonly number[];
  /** `--tls-min-version`. */
  readonly minVersion: TlsMinVersion;
}

export type TlsMinVersion = 'VersionTLS12' | 'VersionTLS13';

export interface AuthenticationSettings {
  /** `--authentication-kubeconfig`. */
  readonly kubeconfig: string | undefined;
  /** `--authentication-skip-lookup`: whether not to read authorities from the cluster's configmap. */
  readonly skipLookup: boolean;
  /** `--authentication-tolerate-lookup-failure`: whether to start without the configmap if it cannot be read. */
  readonly tolerateLookupFailure: boolean;
  /** `--authentication-token-webhook-cache-ttl`. */
  readonly tokenCacheTtlMs: number;
  /** `--client-ca-file`, which overrides the configmap. */
  readonly clientCaFile: string | undefined;
  readonly requestHeader: RequestHeaderSettings;
}

/** The `--requestheader-*` flags. They apply only with a file of authorities; otherwise the configmap applies. */
export interface RequestHeaderSettings {
  readonly clientCaFile: string | undefined;
  /** The common names of proxies. If empty, every name is allowed. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

export interface AuthorizationSettings {
  /** `--authorization-kubeconfig`. */
  readonly kubeconfig: string | undefined;
  /** `--authorization-always-allow-paths`; one that ends in `*` is a prefix. */
  readonly alwaysAllowPaths: readonly string[];
  /** `--authorization-webhook-cache-authorized-ttl`. */
  readonly allowTtlMs: number;
  /** `--authorization-webhook-cache-unauthorized-ttl`. */
  readonly denyTtlMs: number;
}
