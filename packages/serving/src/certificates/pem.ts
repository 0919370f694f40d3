/**
 * Reads certificates in PEM, all of them or none. Errors never quote the text, because it may contain a private key.
 */
import { X509Certificate } from 'node:crypto';

/** Returns every certificate in the text; undefined if there is none or one cannot be read. */
export function readCertificates(text: string): readonly X509Certificate[] | undefined {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  // A truncated block has a beginning and no end.
  const begun = text.split('-----BEGIN CERTIFICATE-----').length - 1;
  if (blocks.length === 0 || blocks.length !== begun) return undefined;
  try {
    return blocks.map((block) => new X509Certificate(block));
  } catch {
    return undefined;
  }
}
