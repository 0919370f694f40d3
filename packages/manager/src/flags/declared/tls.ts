/**
 * Ciphers, curves and versions of TLS by the names that Go gives them and that people know from other
 * components of Kubernetes. What cannot be served is refused at the start: a list that is half obeyed is
 * worse than none.
 */
import type { SniCertificate, TlsMinVersion } from '@tandem/serving';
import { invalid, list, repeated, single, value, type ValueType } from '@tandem/cli/flags';

/** Which of them there are, and which can be had, is asked of those who serve (`tlsProblems`). */
export const cipherSuites: ValueType<readonly string[]> = list('ciphers', (text) =>
  /^TLS_[A-Z0-9_]{1,60}$/.test(text)
    ? value(text)
    : invalid('is not a cipher suite name, such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'),
);

/** By Go's numbers. */
export const curves: ValueType<readonly number[]> = list('numbers', (text) =>
  /^[1-9]\d{0,4}$/.test(text)
    ? value(Number(text))
    : invalid('is not a curve number, such as 29 for X25519'),
);

export const tlsVersion: ValueType<TlsMinVersion> = single('version', (text) => {
  // Upstream takes an empty one for its default, and charts write it.
  if (text === '') return value('VersionTLS12');
  if (text === 'VersionTLS12' || text === 'VersionTLS13') return value(text);
  return text === 'VersionTLS10' || text === 'VersionTLS11'
    ? invalid('is insecure and not supported: use VersionTLS12 or VersionTLS13')
    : invalid('is neither VersionTLS12 nor VersionTLS13');
});

/** `cert.pem,key.pem` or `cert.pem,key.pem:name,*.name`. */
export const sniCertificates: ValueType<readonly SniCertificate[]> = repeated(
  'cert,key[:names]',
  (text) => {
    const colon = text.indexOf(':');
    const pair = colon < 0 ? text : text.slice(0, colon);
    const [certFile = '', keyFile = '', ...more] = pair.split(',').map((path) => path.trim());
    if (certFile === '' || keyFile === '' || more.length > 0) {
      return invalid('is not a pair of files: write CERT,KEY or CERT,KEY:NAME,NAME');
    }
    const names = colon < 0 ? [] : text.slice(colon + 1).split(',');
    const trimmed = names.map((name) => name.trim());
    if (trimmed.includes('')) return invalid('has an empty name after the colon');
    return value({ certFile, keyFile, names: trimmed });
  },
);
