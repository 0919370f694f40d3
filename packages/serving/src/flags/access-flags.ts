/** Upstream's flags for delegated authentication and authorization of the secure port's clients. */
import {
  bool,
  duration,
  file,
  type FlagGroup,
  type GivenFlags,
  headerNames,
  texts,
  urlPaths,
} from '@tandem/cli/flags';
import type { AuthenticationSettings, AuthorizationSettings } from '../serving-settings.ts';

const inCluster = "the pod's service account, if any";

const authentication = {
  kubeconfig: {
    name: 'authentication-kubeconfig',
    type: file,
    otherwise: inCluster,
    help: "Kubeconfig for token reviews and for looking up the cluster's CAs. Without credentials, callers with a token are anonymous.",
  },
  skipLookup: {
    name: 'authentication-skip-lookup',
    type: bool,
    byDefault: 'false',
    help: 'Do not look up the client CA and the request-header CA in the cluster (ConfigMap kube-system/extension-apiserver-authentication).',
  },
  tolerateLookupFailure: {
    name: 'authentication-tolerate-lookup-failure',
    type: bool,
    byDefault: 'false',
    help: "Start even if the look-up of the cluster's CAs fails. Client certificates are ignored in this case.",
  },
  tokenCacheTtl: {
    name: 'authentication-token-webhook-cache-ttl',
    type: duration(),
    byDefault: '10s',
    help: 'Time to cache token reviews.',
  },
  clientCaFile: {
    name: 'client-ca-file',
    type: file,
    otherwise: "the cluster's client CA",
    help: 'CA bundle that verifies client certificates. The common name of a certificate is the user name.',
  },
  proxyCaFile: {
    name: 'requestheader-client-ca-file',
    type: file,
    otherwise: "the cluster's request-header CA",
    help: 'CA bundle that verifies the client certificates of authenticating proxies. Such a proxy names the user in request headers.',
  },
  proxyNames: {
    name: 'requestheader-allowed-names',
    type: texts,
    byDefault: '',
    otherwise: 'any name',
    help: 'Common names allowed in the client certificates of proxies.',
  },
  usernameHeaders: {
    name: 'requestheader-username-headers',
    type: headerNames,
    byDefault: 'x-remote-user',
    help: 'Headers in which a proxy sends the user name.',
  },
  groupHeaders: {
    name: 'requestheader-group-headers',
    type: headerNames,
    byDefault: 'x-remote-group',
    help: "Headers in which a proxy sends the user's groups.",
  },
  uidHeaders: {
    name: 'requestheader-uid-headers',
    type: headerNames,
    byDefault: '',
    help: "Headers in which a proxy sends the user's UID.",
  },
  extraHeaderPrefixes: {
    name: 'requestheader-extra-headers-prefix',
    type: headerNames,
    byDefault: 'x-remote-extra-',
    help: 'Prefixes of the headers in which a proxy sends extra information about the user.',
  },
};

const authorization = {
  kubeconfig: {
    name: 'authorization-kubeconfig',
    type: file,
    otherwise: inCluster,
    help: 'Kubeconfig for access reviews. Without credentials, only system:masters has access to paths other than --authorization-always-allow-paths.',
  },
  alwaysAllowPaths: {
    name: 'authorization-always-allow-paths',
    type: urlPaths,
    byDefault: '/healthz,/readyz,/livez',
    help: 'Paths that need no authorisation. A trailing * matches every path with that prefix.',
  },
  allowTtl: {
    name: 'authorization-webhook-cache-authorized-ttl',
    type: duration(),
    byDefault: '10s',
    help: 'Time to cache access reviews that allow a request.',
  },
  denyTtl: {
    name: 'authorization-webhook-cache-unauthorized-ttl',
    type: duration(),
    byDefault: '10s',
    help: 'Time to cache access reviews that deny a request.',
  },
};

export const accessFlags: readonly FlagGroup[] = [
  { title: 'Authentication', flags: Object.values(authentication) },
  { title: 'Authorization', flags: Object.values(authorization) },
];

export function readAuthentication(given: GivenFlags): AuthenticationSettings {
  return {
    kubeconfig: given.find(authentication.kubeconfig),
    skipLookup: given.of(authentication.skipLookup),
    tolerateLookupFailure: given.of(authentication.tolerateLookupFailure),
    tokenCacheTtlMs: given.of(authentication.tokenCacheTtl),
    clientCaFile: given.find(authentication.clientCaFile),
    requestHeader: {
      clientCaFile: given.find(authentication.proxyCaFile),
      allowedNames: given.of(authentication.proxyNames),
      usernameHeaders: given.of(authentication.usernameHeaders),
      groupHeaders: given.of(authentication.groupHeaders),
      uidHeaders: given.of(authentication.uidHeaders),
      extraHeaderPrefixes: given.of(authentication.extraHeaderPrefixes),
    },
  };
}

export function readAuthorization(given: GivenFlags): AuthorizationSettings {
  return {
    kubeconfig: given.find(authorization.kubeconfig),
    alwaysAllowPaths: given.of(authorization.alwaysAllowPaths),
    allowTtlMs: given.of(authorization.allowTtl),
    denyTtlMs: given.of(authorization.denyTtl),
  };
}
