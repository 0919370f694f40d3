export {
  type Credentials,
  CredentialsError,
  type CredentialsErrorCode,
  type Identity,
  type TlsMaterial,
} from './credentials.ts';
export { loadCredentials, type LoadOptions } from './load-credentials.ts';
