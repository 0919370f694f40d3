/**
 * Assembles the secure port from certificates, trust, reviews, pages and the HTTPS server. It starts none of them.
 */
import type { KubeClient } from '@tandem/kube/client';
import type { CredentialsOrigin } from '@tandem/kube/credentials';
import type { Clock, Logger, Metrics, Random } from '@tandem/runtime';
import { type Authenticator, createAuthenticator } from './authentication/authenticator.ts';
import { TokenReviews } from './authentication/token-reviews.ts';
import { TrustedAuthorities } from './authentication/trusted-authorities.ts';
import { AccessReviews } from './authorization/access-reviews.ts';
import { alwaysAllowed, type Authorizer, createAuthorizer } from './authorization/authorizer.ts';
import { localFiles, type ServingFiles } from './files.ts';
import { answerRequest } from './http/answer-request.ts';
import { SecureServer } from './http/secure-server.ts';
import { createCpuProfiler } from './page/cpu-profile.ts';
import { createHealthLog } from './page/health-log.ts';
import { createSite, type Site } from './page/site.ts';
import type { HealthCheck, Pages } from './pages.ts';
import { Reviewer } from './review/reviewer.ts';
import { createServingMetrics, type ServingMetrics } from './serving-metrics.ts';
import type { ServingSettings } from './serving-settings.ts';
import type { KeyPair } from './tls/key-pair.ts';
import { unusableSuites, uselessSuites } from './tls/cipher-warnings.ts';
import { fileSource, pairSourceOf } from './tls/pair-source.ts';
import { ServedCertificates } from './tls/served-certificates.ts';
import { tlsOptions } from './tls/tls-options.ts';

export interface ServingOptions {
  readonly settings: ServingSettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /**
   * The access of `--authentication-kubeconfig` or of the pod; undefined if there is neither. Its client must be able
   * to write while this manager does not lead, because a review is a create.
   */
  readonly authentication: ReviewAccess | undefined;
  /** The client of `--authorization-kubeconfig` or of the pod; undefined if there is neither. */
  readonly authorizationClient: KubeClient | undefined;
  readonly pages: Pages;
  /** The name of this machine, for a self-signed certificate. */
  readonly hostname: string;
  readonly files?: ServingFiles;
}

/** A client, and where its credentials come from. */
export interface ReviewAccess {
  readonly client: KubeClient;
  readonly origin: CredentialsOrigin;
}

export interface Parts {
  readonly certificates: ServedCertificates;
  readonly authorities: TrustedAuthorities;
  readonly server: SecureServer;
}

export function assemble(options: ServingOptions): Parts {
  const { settings, clock } = options;
  const logger = options.logger.child({ component: 'serving' });
  const metrics = createServingMetrics(options.metrics);
  const tls = tlsOptions(settings.tls);
  const problem = uselessSuites(settings.tls);
  if (problem !== undefined) logger.warn({ problem }, 'Cipher suites have no effect');
  const certificates = servedCertificates({ ...options, logger }, tls, (pair) => {
    server.useCertificate(pair);
    metrics.certificateExpires(pair.leaf.validToDate.getTime());
  });
  const authorities = trustedAuthorities({ ...options, logger });
  const authenticator = authenticatorOf({ ...options, logger }, metrics, authorities);
  const authorizer = authorizerOf({ ...options, logger }, metrics);
  const site = siteOf({ ...options, logger }, [
    { name: 'serving-certificate', check: () => certificates.health() },
  ]);
  const server = new SecureServer({
    tls,
    contextFor: (name) => certificates.contextFor(name),
    clock,
    logger,
    metrics,
    answer: (asked) => answerRequest({ clock, logger, authenticator, authorizer, site }, asked),
    labelOf: (path) => site.labelOf(path),
  });
  return { certificates, authorities, server };
}

function servedCertificates(
  { settings, clock, logger, hostname, files = localFiles }: ServingOptions,
  tls: ReturnType<typeof tlsOptions>,
  onMain: (pair: KeyPair) => void,
): ServedCertificates {
  const hosts = [...new Set(['localhost', '127.0.0.1', '::1', hostname])];
  return new ServedCertificates({
    main: pairSourceOf(settings.certificate, { files, clock, hosts }),
    byName: settings.sniCertificates.map(({ certFile, keyFile, names }) => ({
      source: fileSource({ certFile, keyFile }, { files }),
      names,
    })),
    tls,
    warningOf: ({ leaf }) => unusableSuites(settings.tls, leaf),
    clock,
    logger,
    onMain,
  });
}

function trustedAuthorities(options: ServingOptions): TrustedAuthorities {
  const { settings, clock, random, logger, metrics, files = localFiles } = options;
  const { authentication } = options;
  return new TrustedAuthorities({
    settings: settings.authentication,
    files,
    logger,
    lookup: authentication && { ...authentication, clock, random, logger, metrics },
  });
}

function authenticatorOf(
  { settings, clock, logger, authentication }: ServingOptions,
  metrics: ServingMetrics,
  authorities: TrustedAuthorities,
): Authenticator {
  const tokens =
    authentication === undefined
      ? undefined
      : new TokenReviews({
          reviewer: new Reviewer({
            client: authentication.client,
            clock,
            logger,
            metrics: metrics.tokenReviews,
            purpose: 'authenticate',
          }),
          clock,
          ttlMs: settings.authentication.tokenCacheTtlMs,
          onLookup: (status) => metrics.tokenLookedUp(status),
        });
  return createAuthenticator({ clock, trust: () => authorities.trust, tokens });
}

function authorizerOf(
  { settings, clock, logger, authorizationClient: client }: ServingOptions,
  metrics: ServingMetrics,
): Authorizer {
  const { alwaysAllowPaths, allowTtlMs, denyTtlMs } = settings.authorization;
  const reviews =
    client === undefined
      ? undefined
      : new AccessReviews({
          reviewer: new Reviewer({
            client,
            clock,
            logger,
            metrics: metrics.accessReviews,
            purpose: 'authorize',
          }),
          clock,
          allowTtlMs,
          denyTtlMs,
        });
  return createAuthorizer({ isOpen: alwaysAllowed(alwaysAllowPaths), reviews });
}

function siteOf(options: ServingOptions, ownChecks: readonly HealthCheck[]): Site {
  const { settings, clock, logger, metrics, pages } = options;
  return createSite({
    pages,
    ownChecks,
    health: createHealthLog(logger),
    metricsType: metrics.contentType,
    profiler: settings.profiling ? createCpuProfiler(clock) : undefined,
  });
}
