export { checkCertificates } from './check-pem.ts';
export { credentialsExpirySeconds } from './credentials-expiry.ts';
export {
  type Credentials,
  CredentialsError,
  type CredentialsErrorCode,
  type CredentialsOrigin,
  type FoundCredentials,
  type Identity,
  refusedMsMax,
  type TlsMaterial,
} from './credentials.ts';
export { contextNames, loadCredentials, type LoadOptions } from './load-credentials.ts';
export { refreshFailuresTotal } from './refresh-telemetry.ts';
