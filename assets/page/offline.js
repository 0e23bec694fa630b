"use strict";
// The worker of a site, which keeps its pages: those that were open, and NAMES, open without network.
const KEPT = `svmviz ${registration.scope}`;

// A new version of the site begins anew: files of the old one are of no use any more.
async function keepFirst() {
  await caches.delete(KEPT);
  const open = await clients.matchAll({ includeUncontrolled: true, type: "window" });
  const pages = open.map((each) => each.url.split("#")[0]).filter((url) => url.startsWith(registration.scope));
  await (await caches.open(KEPT)).addAll([...new Set([...NAMES.map((name) => new URL(name, registration.scope).href), ...pages])]);
  await skipWaiting();
}

// A file from the network, or else as it was when it last came.
async function answerTo(request) {
  const kept = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (answer.ok) await kept.put(request, answer.clone());
    return answer;
  } catch (_) {
    return (await kept.match(request, { ignoreSearch: true })) ?? Response.error();
  }
}

addEventListener("install", (event) => event.waitUntil(keepFirst()));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(registration.scope)) event.respondWith(answerTo(event.request));
});
