/**
 * Reads the user of a client certificate as Kubernetes does: the common name is the user, organisations are groups. It
 * reads the subject part by part, because a name with line breaks could forge the printed form.
 */
import type { X509Certificate } from 'node:crypto';
import type { PeerChain } from '../certificates/authority-pool.ts';
import type { Identity } from './identity.ts';

/** Returns undefined if there is no common name or more than one. */
export function commonNameOf(certificate: X509Certificate): string | undefined {
  const { CN } = certificate.toLegacyObject().subject;
  return typeof CN === 'string' && CN !== '' ? CN : undefined;
}

export function identityOf(certificate: X509Certificate): Identity | undefined {
  const name = commonNameOf(certificate);
  if (name === undefined) return undefined;
  const organizations: string | string[] | undefined = certificate.toLegacyObject().subject.O;
  const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase();
  return {
    name,
    uid: '',
    groups: organizations === undefined ? [] : [organizations].flat(),
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] },
  };
}

/** Returns the certificates that the client sent in the handshake; undefined if it sent none. */
export function peerChainOf(socket: {
  getPeerX509Certificate(): X509Certificate | undefined;
}): PeerChain | undefined {
  const leaf = socket.getPeerX509Certificate();
  if (leaf === undefined) return undefined;
  const others: X509Certificate[] = [];
  for (let next = leaf.issuerCertificate; next !== undefined; next = next.issuerCertificate) {
    // A root authority is its own issuer, so the chain would never end.
    if (others.length >= chainMax || others.at(-1)?.raw.equals(next.raw)) break;
    others.push(next);
  }
  return { leaf, others };
}

const chainMax = 8;
