/**
 * The clouds of Azure: the endpoint of each Resource Manager, the authority that issues tokens, and the audience of the
 * tokens. The SDK's own cloud setting changes the endpoint but still requests tokens for the public cloud, so the
 * provider always sets all three.
 */
export interface Cloud {
  /** The URL of the Resource Manager, without a slash at the end. */
  readonly endpoint: string;
  /** The URL of Entra ID. */
  readonly authorityHost: string;
  /** The scope of the tokens: the audience and `.default`. */
  readonly scope: string;
  /** Whether Microsoft's directory of clouds knows the authority. */
  readonly isPublished: boolean;
}

/** The published clouds, by upstream's names in lower case. */
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

/** Older names of the same clouds. */
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

/** Returns the cloud for the endpoints of a custom cloud. */
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

/** Removes the tenant of AD FS from the login endpoint, because the SDK adds the tenant itself. */
function authorityHostOf(authority: string): string {
  return withoutSlash(authority).replace(/\/adfs$/i, '');
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

function withSlash(url: string): string {
  return `${withoutSlash(url)}/`;
}
