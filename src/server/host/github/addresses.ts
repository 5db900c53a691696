/** Where a GitHub host answers. None ends in a slash. */
export interface Addresses {
  readonly web_url: string;
  readonly api_url: string;
  readonly graphql_url: string;
}

/**
 * The addresses of a host by its web address: github.com, a tenant of Enterprise Cloud with data residency
 * (`SUBDOMAIN.ghe.com`), and anything else an Enterprise Server (docs/operating.md#settings; GitHub documentation, forming
 * calls with GraphQL).
 * @throws Error for what is no web address, or plain http to anything but this machine
 */
export function addresses(web_url: string): Addresses {
  const url = webAddress(web_url);
  const web = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  if (url.hostname === 'github.com' || url.hostname === 'www.github.com') {
    return {
      web_url: 'https://github.com',
      api_url: 'https://api.github.com',
      graphql_url: 'https://api.github.com/graphql',
    };
  }
  if (/^[^.]+\.ghe\.com$/.test(url.hostname)) {
    const api = `${url.protocol}//api.${url.host}`;
    return { web_url: web, api_url: api, graphql_url: `${api}/graphql` };
  }
  return { web_url: web, api_url: `${web}/api/v3`, graphql_url: `${web}/api/graphql` };
}

/**
 * An address that tokens may be sent to: https, or plain http on this machine.
 * @throws Error that says what is wrong with it
 */
export function webAddress(text: string): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error(`${text} is no web address such as https://github.com.`);
  if (url.protocol === 'http:' && !isThisMachine(url.hostname)) {
    throw new Error(`${text} would send access tokens unencrypted: use https.`);
  }
  if (url.username || url.password) throw new Error('The address of the host must not hold a name or password.');
  return url;
}

function isThisMachine(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
