//! `GibbsConfig`, the settings of the sampler with their ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Remedy, Result, Setting};
use crate::model::{Model, ModelConfig};

/// How the states of a page are updated in a sweep.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kernel {
    /// Node by node in document order, each from its full conditional: the thesis's sampler.
    #[default]
    SingleSite,
    /// The whole tree as one block: forward filtering (upward), backward sampling (downward). For trees only, without the labels of all
    /// siblings. With collapsed parameters the draw is a proposal, accepted by Metropolis and Hastings's rule.
    #[serde(alias = "joint")]
    Blocked,
}

/// What becomes of the parameters while states are sampled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ParameterUse {
    /// Posterior means of the training counts throughout: pages teach nothing. The target is that of exact
    /// inference.
    Fixed,
    /// Posterior means, into which the pages' states enter after each sweep in place of those of the sweep before:
    /// the thesis's sampler. Close to [`ParameterUse::Collapsed`] where training counts are large, and otherwise no
    /// draw from a posterior at all.
    #[default]
    AfterSweep,
    /// Drawn anew before each sweep from their Beta and Dirichlet distributions given all states.
    Uncollapsed,
    /// Integrated out: each node is drawn given all others' states alone, its own left out of the counts.
    Collapsed,
}

/// Where the chains start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// Every permitted state equally likely at every node: the thesis's random start. All chains start alike.
    #[default]
    Uniform,
    /// Over-dispersed: each chain draws shares of the states from a Dirichlet(0.3, ..., 0.3), then every node's state
    /// by these shares. One chain starts with nearly everything in one state, the next with another.
    ///
    /// A blocked sweep draws all states anew, given parameters that do not know the start: there, either way, a chain starts with
    /// parameters drawn from what training says of them, and the states of all pages drawn given these.
    Dispersed,
}

/// Settings of the sampler; the defaults are the thesis's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct GibbsConfig {
    /// Sweeps over the pages. Range 1 and up, default 30.
    pub sweeps: u32,
    /// Sweeps at the beginning that are not kept. Range 0 to below `sweeps`, default 20.
    pub burn_in: u32,
    /// Of the sweeps after burn-in, every how many is kept. Range 1 and up, default 1.
    pub thin: u32,
    /// Chains, each from a start of its own. Range 1 and up, default 1.
    pub chains: u32,
    /// How states are updated. Default node by node.
    pub kernel: Kernel,
    /// What becomes of the parameters. Default posterior means with the last sweep's states.
    pub parameters: ParameterUse,
    /// Where chains start. Default uniform.
    pub start: Start,
    /// Whether the labels of all siblings are used, in models that have them. Default true.
    pub sibling_types: bool,
    /// Whether the labels of children are used as emissions, in models that have them so. Default true.
    pub child_types: bool,
    /// The seed; a stream is named by seed, chain and page digest. Default 1.
    pub seed: u64,
}

impl Default for GibbsConfig {
    fn default() -> Self {
        GibbsConfig {
            sweeps: 30,
            burn_in: 20,
            thin: 1,
            chains: 1,
            kernel: Kernel::SingleSite,
            parameters: ParameterUse::AfterSweep,
            start: Start::Uniform,
            sibling_types: true,
            child_types: true,
            seed: 1,
        }
    }
}

/// The largest number of chains, sweeps and of each draw's place in the thinning.
pub const MAX_CHAINS: u32 = 1024;

impl GibbsConfig {
    /// Settings to sample pages with that share parameters, where nothing else is asked for: a whole tree at once, with parameters
    /// drawn anew. Of twenty real pages chains may take five hundred sweeps to leave what they began with.
    pub const OF_PAGES: GibbsConfig = GibbsConfig {
        sweeps: 4000,
        burn_in: 1000,
        thin: 1,
        chains: 4,
        kernel: Kernel::Blocked,
        parameters: ParameterUse::Uncollapsed,
        start: Start::Dispersed,
        sibling_types: true,
        child_types: true,
        seed: 1,
    };

    /// [`GibbsConfig::OF_PAGES`]; where the labels of all siblings break the tree node by node, with parameters integrated out.
    pub fn of_pages(model: &ModelConfig, sibling_types: bool) -> GibbsConfig {
        let usual = GibbsConfig { sibling_types, ..GibbsConfig::OF_PAGES };
        match usual.uses_sibling_types(model) {
            true => GibbsConfig { kernel: Kernel::SingleSite, parameters: ParameterUse::Collapsed, ..usual },
            false => usual,
        }
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// [`Error::Usage`] with the parameter, its range and its default.
    pub fn check(&self) -> Result<()> {
        let refuse = |what: String, remedy: &str| Err(Error::usage(what, remedy));
        if self.sweeps == 0 {
            return refuse("sweeps is 0".into(), "sweeps must be at least 1; the default is 30");
        }
        if self.burn_in >= self.sweeps {
            return refuse(
                format!("burn-in is {}, with {} sweeps nothing is left to keep", self.burn_in, self.sweeps),
                "burn-in must be from 0 to below sweeps; the default is 20 of 30",
            );
        }
        if self.thin == 0 || self.thin > self.sweeps - self.burn_in {
            return refuse(
                format!("thin is {}, with {} sweeps after burn-in", self.thin, self.sweeps - self.burn_in),
                "thin must be from 1 to the number of sweeps after burn-in; the default is 1",
            );
        }
        if self.chains == 0 || self.chains > MAX_CHAINS {
            return refuse(
                format!("chains is {}", self.chains),
                "chains must be from 1 to 1024; the default is 1",
            );
        }
        Ok(())
    }

    /// Checks the ranges, and that the kernel can sample from a model of this configuration.
    ///
    /// # Errors
    /// As [`GibbsConfig::check`]; [`Error::Usage`] for the blocked kernel with labels of all siblings.
    pub fn check_for(&self, model: &ModelConfig) -> Result<()> {
        self.check()?;
        if self.kernel == Kernel::Blocked && self.uses_sibling_types(model) {
            return Err(Error::usage(
                "kernel is blocked, and the model has the labels of all siblings, which break the tree",
                "take kernel = \"single-site\" (the default), or leave them out with sibling-types = false",
            ));
        }
        Ok(())
    }

    /// Checks what [`GibbsConfig::check_for`] does, and that the model has no learned weights: sampling is of the
    /// generative model, whose counts its draws enter.
    ///
    /// # Errors
    /// As [`GibbsConfig::check_for`]; [`Error::Usage`] for a model with weights.
    pub fn check_model(&self, model: &Model) -> Result<()> {
        self.check_for(model.config())?;
        if model.layers().weights.is_some() {
            return Err(Error::usage(
                "the model has learned weights, and Gibbs sampling is of the generative model",
                Remedy::by("leave the weights out", Setting::Generative)
                    .then(", take a model without them (web-blocks), or infer exactly"),
            ));
        }
        Ok(())
    }

    /// Whether the labels of all siblings are sampled with.
    pub fn uses_sibling_types(&self, model: &ModelConfig) -> bool {
        self.sibling_types && model.sibling_types
    }

    /// Whether the labels of children are sampled with.
    pub fn uses_child_types(&self, model: &ModelConfig) -> bool {
        self.child_types && model.child_types
    }

    /// Whether the parameters are drawn from their posterior, of a model that gives a page a probability with its states summed out. Not
    /// with the labels of all siblings, nor those of children as emissions: with these the joint distribution is known up to a factor only,
    /// which depends on the parameters.
    pub fn has_likelihood(&self, model: &ModelConfig) -> bool {
        matches!(self.parameters, ParameterUse::Uncollapsed | ParameterUse::Collapsed)
            && !self.uses_sibling_types(model)
            && !self.uses_child_types(model)
    }

    /// Whether the states after `sweep` (from 1) are kept.
    pub fn keeps(&self, sweep: u32) -> bool {
        sweep > self.burn_in && (sweep - self.burn_in - 1).is_multiple_of(self.thin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_out_of_range_are_refused_with_range_and_default() {
        let config = GibbsConfig { burn_in: 30, ..GibbsConfig::default() };
        let message = config.check().unwrap_err().to_string();
        assert!(message.contains("burn-in is 30") && message.contains("default is 20"), "{message}");
        assert!(GibbsConfig { chains: 0, ..GibbsConfig::default() }.check().is_err());
        assert!(GibbsConfig { thin: 0, ..GibbsConfig::default() }.check().is_err());
        assert!(GibbsConfig { thin: 11, ..GibbsConfig::default() }.check().is_err());
        assert!(GibbsConfig { sweeps: 0, ..GibbsConfig::default() }.check().is_err());
    }

    #[test]
    fn the_blocked_kernel_is_refused_where_siblings_break_the_tree() {
        let blocked = GibbsConfig { kernel: Kernel::Blocked, ..GibbsConfig::default() };
        let message = blocked.check_for(&ModelConfig::thesis()).unwrap_err().to_string();
        assert!(message.contains("single-site"), "{message}");
        assert!(GibbsConfig { sibling_types: false, ..blocked }.check_for(&ModelConfig::thesis()).is_ok());
        assert!(blocked.check_for(&ModelConfig::blocks()).is_ok());
    }
}
