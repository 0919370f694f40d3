/** Who may ask what of the secure port: upstream's flags of delegated authentication and authorization. */
import {
  bool,
  type DefaultedFlag,
  duration,
  file,
  type Flag,
  type FlagGroup,
  headerNames,
  honoured,
  texts,
  urlPaths,
} from '@tandem/cli/flags';

const inCluster = "the pod's service account, if any";

export const authenticationKubeconfig: Flag<string | undefined> = {
  name: 'authentication-kubeconfig',
  type: file,
  support: honoured,
  otherwise: inCluster,
  help: "Kubeconfig for token reviews and for looking up the cluster's CAs. Without credentials, callers with a token are anonymous.",
};

export const authenticationSkipLookup: DefaultedFlag<boolean> = {
  name: 'authentication-skip-lookup',
  type: bool,
  byDefault: 'false',
  support: honoured,
  help: 'Do not look up the client CA and the request-header CA in the cluster (ConfigMap kube-system/extension-apiserver-authentication).',
};

export const authenticationTolerateLookupFailure: DefaultedFlag<boolean> = {
  name: 'authentication-tolerate-lookup-failure',
  type: bool,
  byDefault: 'false',
  support: honoured,
  help: "Start even if the look-up of the cluster's CAs fails. Client certificates are ignored in this case.",
};

export const authenticationTokenCacheTtl: DefaultedFlag<number> = {
  name: 'authentication-token-webhook-cache-ttl',
  type: duration(),
  byDefault: '10s',
  support: honoured,
  help: 'Time to cache token reviews.',
};

export const clientCAFile: Flag<string | undefined> = {
  name: 'client-ca-file',
  type: file,
  support: honoured,
  otherwise: "the cluster's client CA",
  help: 'CA bundle that verifies client certificates. The common name of a certificate is the user name.',
};

export const requestHeaderClientCAFile: Flag<string | undefined> = {
  name: 'requestheader-client-ca-file',
  type: file,
  support: honoured,
  otherwise: "the cluster's request-header CA",
  help: 'CA bundle that verifies the client certificates of authenticating proxies. Such a proxy names the user in request headers.',
};

export const requestHeaderAllowedNames: DefaultedFlag<readonly string[]> = {
  name: 'requestheader-allowed-names',
  type: texts,
  byDefault: '',
  otherwise: 'any name',
  support: honoured,
  help: 'Common names allowed in the client certificates of proxies.',
};

export const requestHeaderUsernameHeaders: DefaultedFlag<readonly string[]> = {
  name: 'requestheader-username-headers',
  type: headerNames,
  byDefault: 'x-remote-user',
  support: honoured,
  help: 'Headers in which a proxy sends the user name.',
};

export const requestHeaderGroupHeaders: DefaultedFlag<readonly string[]> = {
  name: 'requestheader-group-headers',
  type: headerNames,
  byDefault: 'x-remote-group',
  support: honoured,
  help: "Headers in which a proxy sends the user's groups.",
};

export const requestHeaderUidHeaders: DefaultedFlag<readonly string[]> = {
  name: 'requestheader-uid-headers',
  type: headerNames,
  byDefault: '',
  support: honoured,
  help: "Headers in which a proxy sends the user's UID.",
};

export const requestHeaderExtraHeadersPrefix: DefaultedFlag<readonly string[]> = {
  name: 'requestheader-extra-headers-prefix',
  type: headerNames,
  byDefault: 'x-remote-extra-',
  support: honoured,
  help: 'Prefixes of the headers in which a proxy sends extra information about the user.',
};

export const authentication: FlagGroup = {
  title: 'Authentication',
  flags: [
    authenticationKubeconfig,
    authenticationSkipLookup,
    authenticationTolerateLookupFailure,
    authenticationTokenCacheTtl,
    clientCAFile,
    requestHeaderClientCAFile,
    requestHeaderAllowedNames,
    requestHeaderUsernameHeaders,
    requestHeaderGroupHeaders,
    requestHeaderUidHeaders,
    requestHeaderExtraHeadersPrefix,
  ],
};

export const authorizationKubeconfig: Flag<string | undefined> = {
  name: 'authorization-kubeconfig',
  type: file,
  support: honoured,
  otherwise: inCluster,
  help: 'Kubeconfig for access reviews. Without credentials, only system:masters has access to paths other than --authorization-always-allow-paths.',
};

export const authorizationAlwaysAllowPaths: DefaultedFlag<readonly string[]> = {
  name: 'authorization-always-allow-paths',
  type: urlPaths,
  byDefault: '/healthz,/readyz,/livez',
  support: honoured,
  help: 'Paths that need no authorisation. A trailing * matches every path with that prefix.',
};

export const authorizedCacheTtl: DefaultedFlag<number> = {
  name: 'authorization-webhook-cache-authorized-ttl',
  type: duration(),
  byDefault: '10s',
  support: honoured,
  help: 'Time to cache access reviews that allow a request.',
};

export const unauthorizedCacheTtl: DefaultedFlag<number> = {
  name: 'authorization-webhook-cache-unauthorized-ttl',
  type: duration(),
  byDefault: '10s',
  support: honoured,
  help: 'Time to cache access reviews that deny a request.',
};

export const authorization: FlagGroup = {
  title: 'Authorization',
  flags: [
    authorizationKubeconfig,
    authorizationAlwaysAllowPaths,
    authorizedCacheTtl,
    unauthorizedCacheTtl,
  ],
};
