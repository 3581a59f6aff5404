# Writes tests/references/chain_diagnostics_r.json: what R's posterior and coda say of the chains that
# scripts/arviz_reference.py wrote. Made with R 4.2.2, posterior 1.4.0, coda 0.19-4.1, jsonlite (on Debian: r-cran-posterior,
# r-cran-coda, r-cran-jsonlite).
#
#     Rscript scripts/posterior_reference.R

suppressPackageStartupMessages({
  library(posterior)
  library(coda)
  library(jsonlite)
})

chains <- fromJSON("tests/references/chain_diagnostics.json", simplifyVector = FALSE)

number <- function(x) {
  if (is.null(x)) NaN else if (identical(x, "inf")) Inf else if (identical(x, "-inf")) -Inf else x
}

# A number that JSON has: what is not available or not finite as null.
plain <- function(x) if (is.finite(x)) unbox(x) else unbox(NA_real_)

# coda fits an autoregression to each window; of short or odd ones it may refuse to.
z <- function(x) {
  found <- tryCatch(unname(geweke.diag(mcmc(x))$z), error = function(e) NaN, warning = function(w) NaN)
  if (length(x) < 50) NaN else found
}

of_case <- function(case) {
  # draws x chains, as posterior has it
  x <- sapply(case$chains, function(row) sapply(row, number))
  x <- matrix(x, ncol = length(case$chains))
  list(
    name = unbox(case$name),
    posterior = suppressWarnings(list(
      rhat = plain(rhat(x)),
      ess_bulk = plain(ess_bulk(x)),
      ess_tail = plain(ess_tail(x)),
      ess_mean = plain(ess_mean(x)),
      ess_sd = plain(ess_sd(x)),
      ess_median = plain(ess_quantile(x, 0.5)),
      mcse_mean = plain(mcse_mean(x)),
      mcse_sd = plain(mcse_sd(x)),
      mcse_median = plain(mcse_quantile(x, 0.5)),
      mcse_q10 = plain(mcse_quantile(x, 0.1))
    )),
    coda = list(geweke = lapply(seq_len(ncol(x)), function(i) plain(z(x[, i]))))
  )
}

by <- paste0(
  R.version.string, ", posterior ", packageVersion("posterior"), ", coda ", packageVersion("coda")
)
json <- sapply(chains$cases, function(case) toJSON(of_case(case), digits = I(15), na = "null"))
path <- "tests/references/chain_diagnostics_r.json"
writeLines(c(paste0("{\"by\": \"", by, "\", \"cases\": ["), paste(json, collapse = ",\n"), "]}"), path)
cat(path, length(json), "cases\n")
