/**
 * The clouds of Azure: where their Resource Manager is, who gives tokens and for which audience. The SDK's
 * own setting for clouds changes the endpoint but asks for tokens of the public cloud, so all three are
 * always set.
 */
export interface Cloud {
  /** Of the Resource Manager, without a slash at the end. */
  readonly endpoint: string;
  /** Of Entra ID. */
  readonly authorityHost: string;
  /** What tokens are asked for: the audience and `.default`. */
  readonly scope: string;
  /** Whether Microsoft's directory of clouds knows the authority. */
  readonly isPublished: boolean;
}

/** By upstream's names, in lower case. */
const clouds: Readonly<Record<string, Cloud>> = {
  azurepubliccloud: published('https://management.azure.com', 'https://login.microsoftonline.com'),
  azureusgovernmentcloud: published(
    'https://management.usgovcloudapi.net',
    'https://login.microsoftonline.us',
  ),
  azurechinacloud: published(
    'https://management.chinacloudapi.cn',
    'https://login.chinacloudapi.cn',
  ),
};

/** What they were called before. */
const aliases: Readonly<Record<string, string>> = {
  '': 'azurepubliccloud',
  azurecloud: 'azurepubliccloud',
  azureusgovernment: 'azureusgovernmentcloud',
};

export const customCloudName = 'azurestackcloud';

export function findCloud(name: string): Cloud | undefined {
  const key = name.toLowerCase();
  return clouds[aliases[key] ?? key];
}

/** Of a cloud that its operator runs. */
export function customCloud(options: {
  readonly endpoint: string;
  readonly authority: string;
  readonly audience: string;
}): Cloud {
  return {
    endpoint: withoutSlash(options.endpoint),
    authorityHost: authorityHostOf(options.authority),
    scope: `${withSlash(options.audience)}.default`,
    isPublished: false,
  };
}

function published(endpoint: string, authorityHost: string): Cloud {
  return { endpoint, authorityHost, scope: `${endpoint}/.default`, isPublished: true };
}

/** AD FS names its one tenant in the login endpoint, which the SDK adds by itself. */
function authorityHostOf(authority: string): string {
  return withoutSlash(authority).replace(/\/adfs$/i, '');
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

function withSlash(url: string): string {
  return `${withoutSlash(url)}/`;
}
