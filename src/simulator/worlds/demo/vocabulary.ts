import type { RepositoryName } from './people.ts';

/** The words of a repository: what its pull requests are about and where its files lie. */
export interface Vocabulary {
  readonly places: readonly string[];
  readonly things: readonly string[];
  readonly actions: readonly string[];
  readonly conditions: readonly string[];
  /** Folders of two levels: the areas that people own. */
  readonly areas: readonly string[];
  readonly extension: string;
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
    actions: words(
      'keep the voucher, show the total, hide the promotion banner, retry the payment, restore the scroll position, announce the change, validate the postcode, round the discount, skip the second request, disable the button, prefetch the images, fall back to the cached price, group the lines by seller, name the missing field, keep the focus',
    ),
    conditions: words(
      'when the session is renewed, after a failed payment, on small screens, for guest orders, when the item is sold out, behind a slow connection, for orders in two currencies, when the voucher has expired, after switching the language, in the returns flow, for large baskets, when the address is abroad, while the price is loading, for gift orders, on the first visit, with reduced motion',
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
    actions: words(
      'name the failing leg, post both legs in one transaction, stream the rows, refuse a negative balance, keep the original value date, read the rate once, write the reason, hold the payout, check the totals, order the entries, release the lock, carry the remainder, store the exact amount',
    ),
    conditions: words(
      'when the legs do not balance, after a partial refund, across the month end, for zero amounts, when the rate is missing, for reversed entries, during a period close, under concurrent postings, for split payouts, when the batch is retried, in the daily export, for closed accounts, with three decimal currencies, after a chargeback',
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
    actions: words(
      'batch the reports, retry the upload, keep the stop order, show the opening hours, save the draft, ask again, skip the animation, lower the accuracy, shrink the photo, wait for a fix, warn the driver, keep the screen on, resume the scan, merge the two stops',
    ),
    conditions: words(
      'after the device wakes up, without a signal, in the depot, when the battery is low, for failed deliveries, on older phones, when the route changes, at the end of a shift, for parcels without a label, in landscape, when two parcels share a stop, after a forced update, with gloves mode on, near the border',
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
    actions: words(
      'keep the selected depot, group the late stops, show who reassigned it, refresh only the changed rows, ask before moving a started stop, sort by urgency, pin the driver, undo the move, mute the alert, draw the planned route, remember the columns, count the open exceptions',
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
      'node pool, backup window, alert threshold, image cache, certificate renewal, rollout step, log retention, read replica, autoscaling rule, dashboards, access role, build runner image, storage class, health probe, connection limit, restore drill, rate limit, terraform module, on-call schedule, secret rotation, egress rule',
    ),
    actions: words(
      'raise the memory limit, pin the image digest, roll out one zone at a time, page only the owner, drain before the upgrade, keep thirty days, verify the restore, split the state, use the shared module, drop the public address, tag the resources, spread the replicas',
    ),
    conditions: words(
      'before the node upgrade, in staging first, for batch jobs, during a zone outage, when the queue is long, for short-lived jobs, after the region move, under load, for services without traffic, when the disk fills up, in the nightly window, for the new accounts',
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
    actions: words(
      'explain the winning rule, stop at the first match, keep the old price, check the floor last, compare with the replay, read the table once, warn about the overlap, apply the cheaper one, refuse an open-ended rule, log the override, fold equal rules, sample the replay',
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
      'label template, printer list, serial port, barcode check digit, config file, exit code, progress line, udev rule, timeout, dry run, verbose flag, retry, man page, Windows build, log rotation, shelf code',
    ),
    actions: words(
      'print without the vendor driver, read the port from the config, exit with a reason, accept a directory, ignore blank lines, reopen the port, explain the check digit, keep the last good config, list what would change',
    ),
    conditions: words(
      'when the printer is offline, on Windows, without a config, for long labels, over a slow serial line, in a container, with two scanners, for codes with letters, after an unplug',
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
    actions: words(
      'keep the job order, report the paper state, reload the fonts, cut the margin, drop the stale job, retry the connection',
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
