/** Who may ask what of the secure port: upstream's flags of delegated authentication and authorization. */
import { type DefaultedFlag, type Flag, type FlagGroup, honoured } from '../flag.ts';
import { bool, duration, file, headerNames, texts, urlPaths } from '../values/index.ts';

const inCluster = "the pod's own credentials, where there are any";

export const authenticationKubeconfig: Flag<string | undefined> = {
  name: 'authentication-kubeconfig',
  type: file,
  standing: honoured,
  otherwise: inCluster,
  help: "The kubeconfig with which tokens are reviewed and the cluster's authorities are looked up. Without credentials tokens count as anonymous.",
};

export const authenticationSkipLookup: DefaultedFlag<boolean> = {
  name: 'authentication-skip-lookup',
  type: bool,
  byDefault: 'false',
  standing: honoured,
  help: 'Do not look up the client and request-header authorities in the cluster (the configmap extension-apiserver-authentication in kube-system).',
};

export const authenticationTolerateLookupFailure: DefaultedFlag<boolean> = {
  name: 'authentication-tolerate-lookup-failure',
  type: bool,
  byDefault: 'false',
  standing: honoured,
  help: 'Start without those authorities when they cannot be looked up; client certificates then count for nothing.',
};

export const authenticationTokenCacheTtl: DefaultedFlag<number> = {
  name: 'authentication-token-webhook-cache-ttl',
  type: duration(),
  byDefault: '10s',
  standing: honoured,
  help: 'How long the review of a token counts.',
};

export const clientCAFile: Flag<string | undefined> = {
  name: 'client-ca-file',
  type: file,
  standing: honoured,
  otherwise: "the cluster's",
  help: "The authorities that vouch for client certificates; a certificate's common name is the user.",
};

export const requestHeaderClientCAFile: Flag<string | undefined> = {
  name: 'requestheader-client-ca-file',
  type: file,
  standing: honoured,
  otherwise: "the cluster's",
  help: 'The authorities that vouch for proxies, which say in headers who asks.',
};

export const requestHeaderAllowedNames: DefaultedFlag<readonly string[]> = {
  name: 'requestheader-allowed-names',
  type: texts,
  byDefault: '',
  otherwise: 'every name',
  standing: honoured,
  help: 'The common names of certificates that proxies may have.',
};

export const requestHeaderUsernameHeaders: DefaultedFlag<readonly string[]> = {
  name: 'requestheader-username-headers',
  type: headerNames,
  byDefault: 'x-remote-user',
  standing: honoured,
  help: 'The headers in which a proxy names the user.',
};

export const requestHeaderGroupHeaders: DefaultedFlag<readonly string[]> = {
  name: 'requestheader-group-headers',
  type: headerNames,
  byDefault: 'x-remote-group',
  standing: honoured,
  help: "The headers in which a proxy names the user's groups.",
};

export const requestHeaderUidHeaders: DefaultedFlag<readonly string[]> = {
  name: 'requestheader-uid-headers',
  type: headerNames,
  byDefault: '',
  standing: honoured,
  help: "The headers in which a proxy gives the user's UID.",
};

export const requestHeaderExtraHeadersPrefix: DefaultedFlag<readonly string[]> = {
  name: 'requestheader-extra-headers-prefix',
  type: headerNames,
  byDefault: 'x-remote-extra-',
  standing: honoured,
  help: 'How headers begin in which a proxy says more about the user.',
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
  standing: honoured,
  otherwise: inCluster,
  help: 'The kubeconfig with which rights are reviewed. Without credentials nobody but system:masters gets in, save to the paths that are always allowed.',
};

export const authorizationAlwaysAllowPaths: DefaultedFlag<readonly string[]> = {
  name: 'authorization-always-allow-paths',
  type: urlPaths,
  byDefault: '/healthz,/readyz,/livez',
  standing: honoured,
  help: 'Paths that everybody may read; * at the end for all that begin so.',
};

export const authorizedCacheTtl: DefaultedFlag<number> = {
  name: 'authorization-webhook-cache-authorized-ttl',
  type: duration(),
  byDefault: '10s',
  standing: honoured,
  help: 'How long a review that grants a right counts.',
};

export const unauthorizedCacheTtl: DefaultedFlag<number> = {
  name: 'authorization-webhook-cache-unauthorized-ttl',
  type: duration(),
  byDefault: '10s',
  standing: honoured,
  help: 'How long a review that denies a right counts.',
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
