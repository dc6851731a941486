# Writes reference_values_of_r.csv, which test_reference_values_of_r.py holds the library to:
# Rscript --vanilla tests/experiments/statistics/reference_values.R
# Debian: r-base-core r-cran-coin r-cran-exactranktests

found <- data.frame(name = character(), value = character())
keep <- function(name, value) {
  value <- sprintf("%.17g", as.numeric(value))
  if (length(value) > 1) name <- paste0(name, "[", seq_along(value) - 1, "]")
  found <<- rbind(found, data.frame(name = name, value = value))
}

table_of <- function(...) matrix(c(...), ncol = 4, byrow = TRUE)
demsar <- table_of(
  .763, .768, .771, .798, .599, .591, .590, .569, .954, .971, .968, .967, .628, .661, .654, .657,
  .882, .888, .886, .898, .936, .931, .916, .931, .661, .668, .609, .685, .583, .583, .563, .625,
  .775, .838, .866, .875, 1, 1, 1, 1, .940, .962, .965, .962, .619, .666, .614, .669,
  .972, .981, .9751, .975, .957, .978, .946, .970)
grasses <- table_of(
  4, 3, 2, 1, 4, 2, 3, 1, 3, 1.5, 1.5, 4, 3, 1, 2, 4, 4, 2, 1, 3, 2, 2, 2, 4,
  1, 3, 2, 4, 2, 4, 1, 3, 3.5, 1, 2, 3.5, 4, 1, 3, 2, 4, 2, 3, 1, 3.5, 1, 2, 3.5)
# From R's own help pages friedman.test and wilcox.test, where they run as examples.
invisible(capture.output(suppressWarnings(example(friedman.test, echo = FALSE))))
rounding <- unname(RoundingTimes)
first <- c(1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30)
second <- c(0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29)
term <- c(0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46)
weeks <- c(1.15, 0.88, 0.90, 0.74, 1.21)
ozone <- function(month) as.vector(na.omit(airquality$Ozone[airquality$Month == month]))
may <- ozone(5)
august <- ozone(8)
# Two samples with ties, and small enough for every split.
left <- c(1, 1, 2, 2, 2, 3, 5, 5)
right <- c(2, 3, 3, 5, 5, 5, 6, 7)

keep("rounding times", t(rounding))
keep("may", may)
keep("august", august)

for (name in c("demsar", "grasses", "rounding")) {
  values <- get(name)
  test <- friedman.test(values)
  keep(paste("friedman", name), c(test$statistic, test$p.value))
  ranks <- t(apply(values, 1, rank))
  n <- nrow(ranks)
  k <- ncol(ranks)
  long <- data.frame(rank = as.vector(ranks), row = factor(rep(1:n, k)),
                     column = factor(rep(1:k, each = n)))
  variance <- summary(aov(rank ~ row + column, long))[[1]]
  keep(paste("iman davenport", name), c(variance[2, "F value"], variance[2, "Pr(>F)"]))
  apart <- abs(outer(colMeans(ranks), colMeans(ranks), "-"))
  q <- apart / sqrt(k * (k + 1) / (6 * n)) * sqrt(2)
  keep(paste("nemenyi", name), ptukey(q, k, Inf, lower.tail = FALSE))
}

exact <- wilcox.test(first, second, paired = TRUE)
normal <- wilcox.test(first, second, paired = TRUE, exact = FALSE, correct = FALSE)
keep("wilcoxon exact", c(exact$statistic, exact$p.value))
keep("wilcoxon normal", normal$p.value)
ties <- wilcox.test(demsar[, 1], demsar[, 2], paired = TRUE, exact = FALSE, correct = FALSE)
keep("wilcoxon of ties normal", c(ties$statistic, ties$p.value))
library(coin, warn.conflicts = FALSE, quietly = TRUE)
pair <- data.frame(a = demsar[, 1], b = demsar[, 2])
for (zeros in c("Pratt", "Wilcoxon")) for (how in c("exact", "asymptotic"))
  keep(paste("wilcoxon", zeros, how),
       pvalue(wilcoxsign_test(a ~ b, pair, zero.method = zeros, distribution = how)))

exact <- wilcox.test(term, weeks)
keep("mann whitney exact", c(exact$statistic, exact$p.value))
normal <- wilcox.test(may, august, exact = FALSE)
keep("mann whitney of ties normal", c(normal$statistic, normal$p.value))
suppressPackageStartupMessages(library(exactRankTests, warn.conflicts = FALSE))
tails <- sapply(c("less", "greater"), function(side)
  wilcox.exact(left, right, alternative = side)$p.value)
keep("mann whitney of ties exact one tail", min(tails))

keep("holm", p.adjust(c(0.01, 0.04, 0.03, 0.005, 0.2, 0.05), "holm"))
keep("quartiles", quantile(may, c(0.25, 0.5, 0.75), names = FALSE))

where <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
write.csv(found, file.path(dirname(where), "reference_values_of_r.csv"),
          row.names = FALSE, quote = FALSE)
cat(R.version.string, "; coin", format(packageVersion("coin")), "; exactRankTests",
    format(packageVersion("exactRankTests")), "\n")
