// SPDX-License-Identifier: MIT
// chart.js - which values are charts: Vega and Vega-Lite say so by their $schema, a Plotly figure
// by its parts. Nothing here runs a getter or the trap of a proxy.
"use strict";

const p = require("primordials");

const SCHEMES = ["https://", "http://"];
const SCHEMAS = "vega.github.io/schema/";
const FIGURE_PARTS = { __proto__: null, data: true, layout: true, frames: true, config: true };
const COORDINATES = ["x", "y", "z"];
const TRACES = namesOf([
  "bar", "barpolar", "box", "candlestick", "carpet", "choropleth", "choroplethmap",
  "choroplethmapbox", "cone", "contour", "contourcarpet", "densitymap", "densitymapbox", "funnel",
  "funnelarea", "heatmap", "heatmapgl", "histogram", "histogram2d", "histogram2dcontour", "icicle",
  "image", "indicator", "isosurface", "mesh3d", "ohlc", "parcats", "parcoords", "pie", "pointcloud",
  "quiver", "sankey", "scatter", "scatter3d", "scattercarpet", "scattergeo", "scattergl",
  "scattermap", "scattermapbox", "scatterpolar", "scatterpolargl", "scattersmith",
  "scatterternary", "splom", "streamtube", "sunburst", "surface", "table", "treemap", "violin",
  "volume", "waterfall",
]);

function namesOf(list) {
  const names = { __proto__: null };
  for (let i = 0; i < list.length; i++) {
    names[list[i]] = true;
  }
  return names;
}

function isProxy(value) {
  return native.proxyDetails(value, false) !== undefined;
}

/** Whether it is an object with properties to look at. */
function isRecord(value) {
  return typeof value === "object" && value !== null && !p.isArray(value) && !isProxy(value);
}

function isNumbers(value) {
  return p.isArray(value) || p.isView(value);
}

/** A trace has one of Plotly's types; without one it is points, which have coordinates. */
function isTrace(value) {
  if (!isRecord(value)) {
    return false;
  }
  const type = p.own(value, "type");
  if (type !== undefined) {
    return typeof type === "string" && TRACES[type] === true;
  }
  for (let i = 0; i < COORDINATES.length; i++) {
    if (isNumbers(p.own(value, COORDINATES[i]))) {
      return true;
    }
  }
  return false;
}

/** Whether it is {data: [traces], layout: {...}} and nothing but what a figure may have. */
function isFigure(value) {
  const traces = p.own(value, "data");
  if (!p.isArray(traces) || isProxy(traces) || traces.length === 0
      || !isRecord(p.own(value, "layout"))) {
    return false;
  }
  const keys = p.objectKeys(value);
  for (let i = 0; i < keys.length; i++) {
    if (FIGURE_PARTS[keys[i]] !== true) {
      return false;
    }
  }
  for (let i = 0; i < traces.length; i++) {
    if (!isTrace(p.own(traces, i))) {
      return false;
    }
  }
  return true;
}

/** The label of the type of a chart: vega, vegaLite, plotly; undefined for other values. */
function chartLabel(value) {
  if (!isRecord(value)) {
    return undefined;
  }
  const schema = p.own(value, "$schema");
  if (typeof schema !== "string") {
    return isFigure(value) ? "plotly" : undefined;
  }
  for (let i = 0; i < SCHEMES.length; i++) {
    const base = SCHEMES[i] + SCHEMAS;
    if (p.stringStartsWith(schema, `${base}vega-lite/v`)) {
      return "vegaLite";
    }
    if (p.stringStartsWith(schema, `${base}vega/v`)) {
      return "vega";
    }
  }
  return undefined;
}

module.exports = { chartLabel, isProxy };
