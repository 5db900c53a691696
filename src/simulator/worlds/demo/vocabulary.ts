import type { RepositoryName } from './people.ts';

/** The words of a repository: what its pull requests are about and where its files lie. */
export interface Vocabulary {
  readonly places: readonly string[];
  readonly things: readonly string[];
  /** Where each of the things belongs, in the same order. */
  readonly homes: readonly string[];
  /** What is done, each with the circumstances in which it makes sense. */
  readonly actions: readonly Action[];
  /** Circumstances in which any of the things may be wrong. */
  readonly conditions: readonly string[];
  /** Folders of two levels: the areas that people own. */
  readonly areas: readonly string[];
  readonly extension: string;
}

export interface Action {
  readonly words: string;
  readonly conditions: readonly string[];
}

/** "keep the voucher: for guests / on small screens, …" */
function actions(text: string): readonly Action[] {
  return words(text).map((each) => {
    const [what = '', circumstances = ''] = each.split(': ');
    return { words: what, conditions: circumstances.split(' / ') };
  });
}

function words(text: string): readonly string[] {
  return text.split(',').map((each) => each.trim());
}

export const VOCABULARY: Readonly<Record<RepositoryName, Vocabulary>> = {
  storefront: {
    places: words(
      'cart, checkout, product page, search, account page, wish list, order history, gallery, size guide, navigation, basket drawer, address form, gift cards, returns, landing page, reviews, newsletter form, store finder',
    ),
    things: words(
      'voucher field, delivery estimate, price label, stock badge, image carousel, filter chips, colour swatches, saved cards, guest order, payment error, refund status, size table, sort order, empty state, breadcrumb, promotion banner, address lookup, review form, recently viewed list, quantity stepper, gift message, loading skeleton, tax line, consent choice',
    ),
    homes: words(
      'checkout, product page, product page, product page, gallery, search, product page, account page, checkout, checkout, returns, size guide, search, basket drawer, navigation, landing page, address form, reviews, product page, cart, gift cards, gallery, order history, newsletter form',
    ),
    actions: actions(
      'keep the voucher: when the session is renewed / after switching the language / for returning customers, show the total: before the address is known / in the basket drawer / for orders in two currencies, hide the promotion banner: on the second visit / during checkout / on small screens, retry the payment: after a timeout / when the bank is slow / without leaving checkout, restore the scroll position: after going back / when filters change / in search results, announce the change: to screen readers / when the quantity changes / after an error, validate the postcode: for addresses abroad / before the order is sent / as it is typed, round the discount: once per order / for gift cards / to the smallest coin, skip the second request: when the basket is empty / on the first visit / for guests, disable the button: while the payment runs / for sold-out items / until the form is complete, prefetch the images: of the next page / on hover / for large galleries, fall back to the cached price: when pricing is slow / during a deployment / for sold-out items, group the lines by seller: in order history / in the confirmation mail / on small screens, name the missing field: in the address form / above the button / in every language, keep the focus: when the drawer closes / after an error / while results load',
    ),
    conditions: words(
      'when the session is renewed, after a failed payment, on small screens, for guest orders, for sold-out items, on a slow connection, for orders in two currencies, for returning customers, after switching the language, in the returns flow, for large baskets, for addresses abroad, while prices are loading, for gift orders, on the first visit, in dark mode',
    ),
    areas: words(
      'src/checkout, src/cart, src/catalogue, src/search, src/account, src/components, src/payments, test/checkout, test/catalogue, styles/pages',
    ),
    extension: 'tsx',
  },
  ledger: {
    places: words(
      'settlement, postings, refunds, export, reconciliation, journal, fees, payouts, rate table, reversals, statements, balances, audit log, period close',
    ),
    things: words(
      'posting rules, idempotency key, rate snapshot, settlement batch, reversal reason, rounding mode, balance check, journal index, payout schedule, fee table, export cursor, currency minor units, reconciliation report, retry queue, dispute entry, opening balance, audit trail, ledger lock, statement line, tax split, chargeback entry, value date',
    ),
    homes: words(
      'postings, postings, rate table, settlement, reversals, settlement, balances, journal, payouts, fees, export, postings, reconciliation, settlement, refunds, balances, audit log, period close, statements, fees, refunds, postings',
    ),
    actions: actions(
      'name the failing leg: in the error / in the audit log / when a batch stops, post both legs in one transaction: for refunds / for split payouts / under concurrent postings, stream the rows: in the daily export / for closed accounts / instead of buffering them, refuse a negative balance: on payout accounts / at period close / for new accounts, keep the original value date: for reversals / across the month end / after a chargeback, read the rate once: per settlement batch / for three-decimal currencies / per refund, write the reason: for every reversal / of a held payout / into the statement, hold the payout: while a dispute is open / below the minimum / until the account is verified, check the totals: before a period closes / after the import / per currency, order the entries: by value date / in statements / within a batch, release the lock: after a failed batch / before the export / when a worker stops, carry the remainder: to the last leg / into the next period / for split payouts, store the exact amount: before rounding / for refunds / in both currencies',
    ),
    conditions: words(
      'when the legs do not balance, after a partial refund, across the month end, for zero amounts, when the rate is missing, for reversed entries, during a period close, under concurrent postings, for split payouts, when the batch is retried, in the daily export, for closed accounts, for three-decimal currencies, after a chargeback',
    ),
    areas: words(
      'src/ledger, src/settlement, src/export, src/rates, src/payouts, src/reconciliation, test/ledger, test/settlement, db/migrations, docs/posting-rules',
    ),
    extension: 'kt',
  },
  courier: {
    places: words(
      'route list, stop details, scanner, position reports, uploads, map, delivery proof, shift start, messages, offline queue, vehicle check, handover, settings, sign-in',
    ),
    things: words(
      'position report, upload queue, parcel scan, signature pad, stop order, opening hours, safe place note, route cache, battery warning, photo compression, depot code, retry timer, crash report, map tile cache, push token, customer call button, barcode parser, shift summary, background task, delivery window, door code',
    ),
    homes: words(
      'position reports, uploads, scanner, delivery proof, route list, stop details, stop details, route list, vehicle check, delivery proof, handover, uploads, settings, map, messages, stop details, scanner, shift start, offline queue, stop details, stop details',
    ),
    actions: actions(
      'batch the reports: on a weak signal / while driving / every thirty seconds, retry the upload: when the signal is back / after a restart / over wireless only, keep the stop order: after a forced update / when the route changes / across a handover, show the opening hours: on the stop list / for pickup points / before arrival, save the draft: before the app closes / of a failed delivery / every few seconds, ask again: before a parcel is skipped / when the label is torn / for fragile parcels, skip the animation: on older phones / when the battery is low / with reduced motion, lower the accuracy: when parked / when the battery is low / in the depot, shrink the photo: before the upload / on a metered connection / on older phones, wait for a fix: before the first report / after a tunnel / at shift start, warn the driver: before a window closes / of a wrong depot / when storage is full, keep the screen on: while scanning / during navigation / in the vehicle check, resume the scan: after a call / when the app comes back / without a second tap, merge the two stops: at one address / for one customer / in the route list',
    ),
    conditions: words(
      'after the device wakes up, without a signal, in the depot, when the battery is low, for failed deliveries, on older phones, when the route changes, at the end of a shift, for parcels without a label, in landscape, when two parcels share a stop, after a forced update, in gloves mode, near the border',
    ),
    areas: words(
      'app/route, app/scanner, app/upload, app/map, app/proof, shared/model, shared/network, android/service, ios/service, test/route',
    ),
    extension: 'kt',
  },
  'courier-web': {
    places: words(
      'dispatch board, driver list, live map, shift planner, exceptions, depot view, customer messages, reports, roles, timeline, bulk editor, alerts, handover sheet',
    ),
    things: words(
      'driver card, late stop alert, shift template, depot filter, column layout, bulk reassignment, live position, exception reason, printed manifest, audit note, day picker, role check, route replay, message template, load factor, colour legend, keyboard navigation, saved view, unassigned pool',
    ),
    homes: words(
      'driver list, alerts, shift planner, depot view, dispatch board, bulk editor, live map, exceptions, handover sheet, timeline, shift planner, roles, live map, customer messages, reports, live map, dispatch board, dispatch board, exceptions',
    ),
    actions: actions(
      'keep the selected depot: after a reload / across tabs / when the filter changes, group the late stops: by driver / by depot / on the dispatch board, show who reassigned it: in the timeline / on hover / for bulk changes, refresh only the changed rows: on the live board / every ten seconds / in large depots, ask before moving a started stop: on the board / in the bulk editor / across depots, sort by urgency: in the exceptions list / in the morning / within a depot, pin the driver: on the live map / while editing / across views, undo the move: with one key / for ten seconds / in the bulk editor, mute the alert: for this shift / per driver / after it was seen, draw the planned route: under the live one / in print / for part-time drivers, remember the columns: per person / in saved views / after signing out, count the open exceptions: in the tab title / per depot / every minute',
    ),
    conditions: words(
      'when two dispatchers edit at once, after midnight, for part-time drivers, on wide screens, when the driver is offline, for more than 500 stops, in print, when the shift is split, across depots, after a reconnect, for read-only roles, during the morning rush',
    ),
    areas: words(
      'src/board, src/drivers, src/map, src/planner, src/exceptions, src/reports, src/shared, test/board, test/planner',
    ),
    extension: 'ts',
  },
  quayside: {
    places: words(
      'cluster, ingress, backups, alerts, secrets, deploy pipeline, log storage, metrics, databases, build runners, service mesh, cost report, network policy, staging, object store',
    ),
    things: words(
      'node pool, backup window, alert threshold, image cache, certificate renewal, rollout step, log retention, read replica, autoscaling rule, request dashboard, access role, build runner image, storage class, health probe, connection limit, restore drill, rate limit, staging module, alert routing, secret rotation, egress rule',
    ),
    homes: words(
      'cluster, backups, alerts, build runners, ingress, deploy pipeline, log storage, databases, cluster, metrics, secrets, build runners, object store, service mesh, databases, backups, ingress, staging, alerts, secrets, network policy',
    ),
    actions: actions(
      'raise the memory limit: of the build runners / for batch jobs / in production, pin the image digest: in production / of the build runners / for every service, roll out one zone at a time: in production / for the mesh / during business hours, page only the owner: for batch jobs / at night / of the failing service, drain nodes first: before an upgrade / in every zone / when a pool shrinks, keep logs for thirty days: in staging / for batch jobs / of the ingress, verify the restore: every week / for every database / in a scratch account, split the Terraform state: by account / by region / for the databases, use the shared module: for new databases / in staging / for every queue, drop the public address: of the build runners / in staging / of the databases, tag the resources: by owner / for the cost report / in the new accounts, spread the replicas: over three zones / in production / for the ingress',
    ),
    conditions: words(
      'before the node upgrade, in staging, for batch jobs, during a zone outage, under load, in production, for internal services, after the region move, in the second region, after a restart, in the nightly run, for the new accounts',
    ),
    areas: words(
      'clusters/production, clusters/staging, modules/database, modules/network, modules/alerts, pipelines/deploy, policies/access, scripts/restore',
    ),
    extension: 'tf',
  },
  pricing: {
    places: words(
      'price rules, discount engine, rate import, simulator, promotions, tax tables, price history, rounding, margin guard, regional index, bundles, approval flow',
    ),
    things: words(
      'bundle discount, price floor, promotion window, regional override, tax class, rule order, margin warning, price replay, currency fallback, import mapping, rounding step, approval limit, competitor feed, cache key, seasonal rule, effective date, explain output, customer group, price ceiling',
    ),
    homes: words(
      'bundles, margin guard, promotions, regional index, tax tables, price rules, margin guard, simulator, rate import, rate import, rounding, approval flow, rate import, discount engine, promotions, price history, price rules, discount engine, price rules',
    ),
    actions: actions(
      'explain the winning rule: in the answer / for bundles / to the support team, stop at the first match: for fixed prices / in the tax tables / during imports, keep the old price: while a rule is reviewed / for open baskets / until midnight, check the floor last: for bundles / after promotions / in the simulator, compare with the replay: before a release / every night / for new rules, read the table once: per request / per import / for bulk prices, warn about the overlap: before publishing / for promotions / in the approval flow, apply the cheaper one: for two promotions / for members / in bundles, refuse an open-ended rule: in the editor / during imports / for promotions, log the override: with its reason / for every region / in the price history, fold equal rules: in the index / before a release / across regions, sample the replay: by region / for large catalogues / on every pull request',
    ),
    conditions: words(
      'when two promotions overlap, for bundles, across a tax change, at midnight, for negative margins, in the replay, for new customer groups, when the feed is late, with regional overrides, for items without a cost, in the bulk import, during a sale',
    ),
    areas: words('src/rules, src/promotions, src/tax, src/import, src/replay, test/rules, test/replay, data/fixtures'),
    extension: 'py',
  },
  'depot-tools': {
    places: words(
      'label command, scanner daemon, config loader, packaging, stock count, serial driver, update check, help output, installer',
    ),
    things: words(
      'label template, printer list, serial port, barcode check digit, config file, exit code, progress line, udev rule, timeout, dry run, verbose flag, retry, usage text, installer script, log rotation, shelf code',
    ),
    homes: words(
      'label command, label command, serial driver, scanner daemon, config loader, label command, update check, scanner daemon, serial driver, stock count, help output, update check, help output, installer, scanner daemon, stock count',
    ),
    actions: actions(
      'print without the vendor driver: on Linux / on Windows / over the network, read the port from the config: on Windows / for two scanners / before guessing, exit with a reason: when no printer answers / for a bad config / on a timeout, accept a directory: for batch printing / of templates / in the count command, ignore blank lines: in lists / in the config file / from old scanners, reopen the port: after unplugging / after sleep / when it stalls, explain the check digit: in the error / for codes with letters / in the guide, keep the last good config: after an update / when the new one fails / on Windows, list what would change: before an update / in a dry run / for every shelf',
    ),
    conditions: words(
      'when the printer is offline, on Windows, without a config file, for long labels, over a slow serial line, in a container, with two scanners, for codes with letters, after unplugging',
    ),
    areas: words(
      'cmd/label, cmd/count, internal/serial, internal/barcode, internal/config, docs/guide, packaging/linux',
    ),
    extension: 'go',
  },
  'label-printer': {
    places: words('spooler, font loader, page layout, status page, network setup, job queue'),
    things: words(
      'label margin, font cache, job timeout, status code, paper sensor, firmware check, raster output, network name, test page, queue limit',
    ),
    homes: words(
      'page layout, font loader, job queue, status page, spooler, status page, page layout, network setup, status page, job queue',
    ),
    actions: actions(
      'keep the job order: after a restart / for many copies / across reconnects, report the paper state: on the status page / every minute / before a job starts, reload the fonts: after an update / without a restart / when one is missing, cut the margin: for narrow labels / on the old rolls / by a millimetre, drop the stale job: after an hour / on a restart / when the sender is gone, retry the connection: after a power cut / over wireless / with a longer pause',
    ),
    conditions: words(
      'when the paper runs out, after a restart, for narrow labels, on the old firmware, over wireless, for many copies',
    ),
    areas: words('src/spooler, src/layout, src/network, test/spooler'),
    extension: 'c',
  },
};

/** Libraries that the bots update; all invented. */
export const LIBRARIES = words(
  'datewright, http-harbour, jsonfold, pg-lantern, testbarrow, formsmith, queuekeeper, lintwell, cssmill, mapfathom, tracewick, imagepress, cryptostile, logferry, routeplane, schemaknot, uuidgrove, yamlbridge, authgate, chartwood, decimalsworn, retrykit, snapfold, zipwright',
);
