/** The settings of the secure port, from its flags. */
import type { GivenFlags } from '@tandem/cli/flags';
import {
  type AuthenticationSettings,
  type AuthorizationSettings,
  type CertificateSource,
  servingProblems,
  type ServingSettings,
} from '@tandem/serving';
import {
  authenticationKubeconfig,
  authenticationSkipLookup,
  authenticationTokenCacheTtl,
  authenticationTolerateLookupFailure,
  authorizationAlwaysAllowPaths,
  authorizationKubeconfig,
  authorizedCacheTtl,
  clientCAFile,
  requestHeaderAllowedNames,
  requestHeaderClientCAFile,
  requestHeaderExtraHeadersPrefix,
  requestHeaderGroupHeaders,
  requestHeaderUidHeaders,
  requestHeaderUsernameHeaders,
  unauthorizedCacheTtl,
} from './declared/access.ts';
import {
  bindAddress,
  certDir,
  permitPortSharing,
  profiling,
  securePort,
  tlsCertFile,
  tlsCipherSuites,
  tlsCurvePreferences,
  tlsMinVersion,
  tlsPrivateKeyFile,
  tlsSniCertKey,
} from './declared/serving.ts';
import { dryRun } from './declared/tandem.ts';

export function readServing(flags: GivenFlags, problems: string[]): ServingSettings {
  const settings: ServingSettings = {
    bindAddress: flags.of(bindAddress),
    port: readPort(flags),
    permitPortSharing: flags.of(permitPortSharing),
    certificate: readCertificate(flags, problems),
    sniCertificates: flags.find(tlsSniCertKey) ?? [],
    tls: {
      cipherSuites: flags.of(tlsCipherSuites),
      curvePreferences: flags.of(tlsCurvePreferences),
      minVersion: flags.of(tlsMinVersion),
    },
    authentication: readAuthentication(flags),
    authorization: readAuthorization(flags),
    profiling: flags.of(profiling),
  };
  problems.push(...servingProblems(settings));
  return settings;
}

/** The port of a manager that runs already is not a dry run's to take; 0 serves none. */
function readPort(flags: GivenFlags): number {
  return flags.of(dryRun) && !flags.isGiven(securePort) ? 0 : flags.of(securePort);
}

function readCertificate(flags: GivenFlags, problems: string[]): CertificateSource {
  const certFile = flags.find(tlsCertFile);
  const keyFile = flags.find(tlsPrivateKeyFile);
  if (certFile !== undefined && keyFile !== undefined) return { kind: 'files', certFile, keyFile };
  if (certFile !== undefined || keyFile !== undefined) {
    const [given, other] =
      certFile === undefined ? [tlsPrivateKeyFile, tlsCertFile] : [tlsCertFile, tlsPrivateKeyFile];
    problems.push(`--${given.name} requires --${other.name}`);
  }
  const directory = flags.find(certDir);
  return directory === undefined ? { kind: 'self-signed' } : { kind: 'directory', directory };
}

function readAuthentication(flags: GivenFlags): AuthenticationSettings {
  return {
    kubeconfig: flags.find(authenticationKubeconfig),
    skipLookup: flags.of(authenticationSkipLookup),
    tolerateLookupFailure: flags.of(authenticationTolerateLookupFailure),
    tokenCacheTtlMs: flags.of(authenticationTokenCacheTtl),
    clientCaFile: flags.find(clientCAFile),
    requestHeader: {
      clientCaFile: flags.find(requestHeaderClientCAFile),
      allowedNames: flags.of(requestHeaderAllowedNames),
      usernameHeaders: flags.of(requestHeaderUsernameHeaders),
      groupHeaders: flags.of(requestHeaderGroupHeaders),
      uidHeaders: flags.of(requestHeaderUidHeaders),
      extraHeaderPrefixes: flags.of(requestHeaderExtraHeadersPrefix),
    },
  };
}

function readAuthorization(flags: GivenFlags): AuthorizationSettings {
  return {
    kubeconfig: flags.find(authorizationKubeconfig),
    alwaysAllowPaths: flags.of(authorizationAlwaysAllowPaths),
    allowTtlMs: flags.of(authorizedCacheTtl),
    denyTtlMs: flags.of(unauthorizedCacheTtl),
  };
}
